"""For whom a run is shown, and the view that suits them."""

from dataclasses import dataclass

from src.cli.console import open_console
from src.cli.plain import PlainView, QuietView
from src.cli.render import TerminalView
from src.cli.view import View


@dataclass(frozen=True)
class Audience:
    """How much is shown, and where."""

    json: bool = False
    """Standard output is kept for the report."""
    quiet: bool = False
    """Only the verdict."""


def choose_view(audience: Audience) -> View:
    """The view for a terminal, a file or pipe, or `--quiet`."""
    console = open_console(error=audience.json)
    if audience.quiet:
        return QuietView(console)
    return TerminalView(console) if console.is_terminal and not console.is_dumb_terminal else PlainView(console)
