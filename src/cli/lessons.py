"""`selfheal lessons list|show|edit|forget`: what earlier runs of this project have taught."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from src.cli.console import open_console
from src.cli.editor import edited
from src.cli.listing import show_json, show_table
from src.cli.stored import address_of, project_of
from src.config import load_settings
from src.errors import ConfigurationError
from src.lessons import Worth
from src.runs.shelf import Shelf, open_shelf
from src.text import one_line


def list_command(*, json: bool) -> int:
    """Show every lesson and return the exit code."""
    with _shelf() as shelf:
        found = shelf.all()
    if json:
        show_json([{**asdict(one), **asdict(done), "faded": done.faded} for one, done in found])
    else:
        rows = [(one.key, one.run_id, *_told(done), one.cause) for one, done in found]
        show_table(("lesson", "from", "seen by", "green at once", "standing", "cause"), rows)
    return 0


def show_command(key: str) -> int:
    """Show a lesson and return the exit code."""
    with _shelf() as shelf:
        lesson, done = shelf.called(key)
    seen, green, standing = _told(done)
    told = f"{lesson.key}, from {lesson.run_id}, {lesson.when}; seen by {seen}, green at once {green}: {standing}"
    for line in (told, f"asked for: {lesson.request}", lesson.cause):
        open_console().print(one_line(line, 1000), soft_wrap=True)
    return 0


def edit_command(key: str, text: str | None) -> int:
    """Change a lesson and return the exit code; without a text a person changes it in an editor.

    Raises `ConfigurationError` where there is neither a text nor a terminal.
    """
    if text is None:
        key, text = _typed(key)
    with _shelf() as shelf:
        open_console().print(f"The lesson is {shelf.edit(key, text).key} now.")
    return 0


def _typed(key: str) -> tuple[str, str]:
    """The whole name of a lesson, and its words as a person leaves them; the database is not kept open meanwhile."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise ConfigurationError("There is no terminal to change the lesson on.", "Give the new words: --text TEXT.")
    with _shelf() as shelf:
        lesson, _ = shelf.called(key)
    return lesson.key, edited("lesson", f"{lesson.cause}\n", load_settings().editor)


def forget_command(key: str) -> int:
    """Delete a lesson and return the exit code."""
    with _shelf() as shelf:
        open_console().print(f"Forgotten: {one_line(shelf.forget(key).cause)}", soft_wrap=True)
    return 0


@contextmanager
def _shelf() -> Iterator[Shelf]:
    settings = load_settings()
    with open_shelf(address_of(settings), project_of(settings)) as shelf:
        yield shelf


def _told(done: Worth) -> tuple[str, str, str]:
    return str(done.saw), str(done.green), "faded" if done.faded else f"{done.standing:.2f}"
