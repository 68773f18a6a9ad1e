"""What a command shows. Drawing is in `render.py` and `plain.py`; `audience.py` chooses between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from src.errors import ExitCode
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


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    """What."""
    told: str
    """What is the matter with it."""
    mend: str = ""
    """How to mend it."""
    fault: ExitCode | None = None
    """What a run would end with because of it; `None`: it is in order."""


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
