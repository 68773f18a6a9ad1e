"""What a command shows of a run while it goes on, and who shows it. Drawing is in `render.py` and `plain.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from src.cli.console import open_console
from src.events import Event
from src.report import ReplaySource, RunReport, Tier
from src.state import Role


@dataclass(frozen=True)
class Opening:
    """What is known when a run begins."""

    run_id: str
    """Name of the run."""
    request: str
    """What was asked for."""
    tiers: Mapping[Role, Tier]
    """Who serves each role."""
    replayed: ReplaySource | None = None
    """Set when no model is called."""
    warnings: tuple[str, ...] = ()
    """What the user must know before anything happens."""


@dataclass(frozen=True)
class Closing:
    """What is known when a run ends, early or not."""

    report: RunReport
    """Its report; the hashes in it name the files that were delivered."""
    folder: Path
    """Where the files lie."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Text of the delivered module and suite by file name."""


class View(Protocol):
    """Shows a run. Every text that it is given may be hostile."""

    def open(self, opening: Opening) -> None:
        """The run begins."""

    def event(self, event: Event) -> None:
        """Something happened; an `EventSink`."""

    def close(self, closing: Closing) -> None:
        """The run is over."""

    def pause(self) -> None:
        """Stop whatever moves, because something else is about to be written; may be called at any time."""


@dataclass(frozen=True)
class Audience:
    """How much is shown, and where."""

    json: bool = False
    """Standard output is kept for the report."""
    quiet: bool = False
    """Only the verdict."""


def choose_view(audience: Audience) -> View:
    """The view for a terminal, a file or pipe, or `--quiet`."""
    from src.cli.plain import PlainView, QuietView
    from src.cli.render import TerminalView

    console = open_console(error=audience.json)
    if audience.quiet:
        return QuietView(console)
    return TerminalView(console) if console.is_terminal and not console.is_dumb_terminal else PlainView(console)
