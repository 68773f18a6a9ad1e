"""Standard output and standard error, made so that showing something never ends a run that was paid for."""

import os
import sys
from contextlib import suppress
from typing import IO, Any, cast

from rich.console import Console

from src.errors import ConfigurationError
from src.text import clean


class LastingStream:
    """A stream whose reader may go away (`| head`) and whose disk may be full: what comes after is dropped."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or drop."""
        try:
            return self._stream.write(text)
        except OSError:
            drop_rest(self._stream)
            return len(text)

    def flush(self) -> None:
        """Flush, or drop."""
        try:
            self._stream.flush()
        except OSError:
            drop_rest(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def open_console(*, error: bool = False) -> Console:
    """Standard output, or standard error, for people."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # letters that the terminal's encoding lacks
    return console_on(sys.stderr if error else sys.stdout)


def console_on(stream: IO[str] | None, **options: Any) -> Console:
    """A console that draws text as it is: no markup, no emoji codes, no guessed colours. `None`: nobody listens."""
    lasting = cast(IO[str], LastingStream(stream)) if stream else None
    return Console(file=lasting, quiet=stream is None, highlight=False, markup=False, emoji=False, **options)


def complain(message: str, remedy: str = "", *, label: str = "Error") -> None:
    """Say on standard error what happened and, indented below it, what to do about it."""
    console = open_console(error=True)
    console.print(f"{label}: {clean(message)}", style="bold red" if label == "Error" else "yellow", soft_wrap=True)
    for line in clean(remedy).splitlines():
        console.print(f"  {line}", soft_wrap=True)


def write_out(text: str) -> None:
    """Write data to standard output as it is. A reader that went away is no fault; anything else is.

    Raises `ConfigurationError` when standard output takes no data.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_rest(sys.stdout)
    except (OSError, AttributeError) as error:  # AttributeError: standard output is closed
        drop_rest(sys.stdout)
        reason = error.strerror if isinstance(error, OSError) else "it is closed"
        raise ConfigurationError(f"The report could not be written to standard output: {reason}.") from None


def drop_rest(stream: IO[str] | None) -> None:
    """Send what is still to be written nowhere; Python would complain about it at its end."""
    if stream is None:
        return
    with suppress(OSError):  # a stream without a file below it
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
