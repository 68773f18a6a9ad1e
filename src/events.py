"""What a run tells while it goes on. Whoever watches (a terminal, a log, nobody) gets these, in order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from src.state import Role

NodeName = Literal[
    "architect", "reader", "assumptions", "person", "developer", "test_runner", "debugger", "dispute", "reviewer"
]


@dataclass(frozen=True)
class NodeStarted:
    """A member of the team begins."""

    node: NodeName
    """Who."""
    iteration: int
    """Passes of the debugger before this."""
    developer: int = 0
    """Which of several developers; 0: there is one alone."""


@dataclass(frozen=True)
class NodeFinished:
    """A member of the team is done."""

    node: NodeName
    """Who."""
    seconds: float
    """Wall-clock seconds that it took."""
    update: Mapping[str, Any]
    """The part of `TeamState` that it changed."""
    developer: int = 0
    """Which of several developers; 0: there is one alone."""


@dataclass(frozen=True)
class CorrectionAsked:
    """A gate refused a text, and its author is asked again."""

    role: Role
    """Whose text was refused."""
    reasons: tuple[str, ...]
    """Why, as sent to the author."""
    number: int
    """Which correction this is, from 1; 0: it is the first time for this tier, or after a person's notes."""
    by_person: bool = False
    """Whether a person sent the text back."""
    developer: int = 0
    """Which of several developers; 0: there is one alone."""


@dataclass(frozen=True)
class SuiteVetted:
    """A suite was run against fakes of the module before any code was written."""

    fakes: int
    """How many fakes."""
    reasons: tuple[str, ...]
    """Why it was refused, as sent to its author; empty when every test can fail."""


@dataclass(frozen=True)
class Progress:
    """A long preparation says what it is doing (the image is being built, say)."""

    text: str
    """One line."""


Event = NodeStarted | NodeFinished | CorrectionAsked | SuiteVetted | Progress
EventSink = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """The sink of a run that nobody watches."""
