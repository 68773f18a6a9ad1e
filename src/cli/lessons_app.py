"""`selfheal lessons`: options only; what the commands do is imported when it is needed."""

from typing import Annotated

import typer

from src.cli.options import end_with, option

Key = Annotated[str, typer.Argument(metavar="LESSON", help="Name of the lesson, or its beginning.")]
Text = Annotated[str | None, option("--text", "The new words; without this your editor opens.", "TEXT")]
Data = Annotated[bool, option("--json", "As JSON, on standard output.")]


def add_lessons(app: typer.Typer) -> None:
    """Add the commands."""
    lessons = typer.Typer(help="What earlier runs of this project have taught.", no_args_is_help=True)
    lessons.command("list")(list_)
    for command in (show, edit, forget):
        lessons.command()(command)
    app.add_typer(lessons, name="lessons")


def list_(json: Data = False) -> None:
    """List every lesson, the newest first, with how it has done."""

    def act() -> int:
        from src.cli.lessons import list_command

        return list_command(json=json)

    end_with(act)


def show(lesson: Key) -> None:
    """Show a lesson in full."""

    def act() -> int:
        from src.cli.lessons import show_command

        return show_command(lesson)

    end_with(act)


def edit(lesson: Key, text: Text = None) -> None:
    """Put other words in place of a lesson's; it is a new lesson then."""

    def act() -> int:
        from src.cli.lessons import edit_command

        return edit_command(lesson, text)

    end_with(act)


def forget(lesson: Key) -> None:
    """Delete a lesson."""

    def act() -> int:
        from src.cli.lessons import forget_command

        return forget_command(lesson)

    end_with(act)
