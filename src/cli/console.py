"""Standard output and standard error, made so that showing something never ends a run that was paid for."""

import os
import sys
from typing import IO

from rich.console import Console

from src.cli.text import clean


class LastingConsole(Console):
    """A console whose reader may go away (`| head`): what comes after is dropped."""

    def on_broken_pipe(self) -> None:
        """Called by rich in place of the exception."""
        self.quiet = True
        _drop(self.file)


def open_console(*, error: bool = False) -> Console:
    """Standard output, or standard error. Text is drawn as it is: no markup, no emoji codes, no guessed colours."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # letters that the terminal's encoding lacks
    return LastingConsole(stderr=error, highlight=False, markup=False, emoji=False)


def complain(message: str, remedy: str = "", *, label: str = "Error") -> None:
    """Say on standard error what happened and, indented below it, what to do about it."""
    console = open_console(error=True)
    console.print(f"{label}: {clean(message)}", style="bold red" if label == "Error" else "yellow", soft_wrap=True)
    for line in clean(remedy).splitlines():
        console.print(f"  {line}", soft_wrap=True)


def write_out(text: str) -> None:
    """Write data to standard output as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)


def _drop(stream: IO[str]) -> None:
    """Send what is still to be written nowhere; Python would complain about it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
