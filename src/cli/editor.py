"""The editor of a person, for a text that is to be changed."""

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from src.errors import ConfigurationError

_USUAL = ("sensible-editor", "nano", "vi", "notepad")
_SUFFIXES = {"code": ".py", "tests": ".py", "spec": ".md"}


def edited(name: str, text: str, command: str | None) -> str:
    """`text` as a person leaves it; `command` starts the editor, `None` one of the usual ones.

    Raises `ConfigurationError` when there is none, or when it fails.
    """
    usual = next((found for name in _USUAL if (found := shutil.which(name))), None)
    try:
        words = shlex.split(command) if command else [usual] if usual else []
    except ValueError as error:
        raise ConfigurationError(
            f"The editor {command!r} is no command: {error}.", "Correct VISUAL or EDITOR."
        ) from None
    if not words:
        raise ConfigurationError("There is no editor.", "Set EDITOR.")
    with tempfile.TemporaryDirectory(prefix="selfheal-") as folder:
        path = Path(folder) / f"{name}{_SUFFIXES.get(name, '.txt')}"
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        try:
            subprocess.run([*words, str(path)], check=True)
            return path.read_text(encoding="utf-8").replace("\r\n", "\n")
        except (OSError, subprocess.CalledProcessError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"The editor {words[0]!r} did not bring the text back: {error}.") from None
