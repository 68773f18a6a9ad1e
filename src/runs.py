"""Start a run, resume it, look at what it saved. The only owner of the checkpointer."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from src.state import TeamState

if TYPE_CHECKING:
    from src.context import TeamContext


@dataclass(frozen=True)
class SavedRun:
    """What the database holds of a run."""

    run_id: str
    """Name of the run."""
    state: TeamState
    """Its last saved state."""
    notes: Mapping[str, str]
    """What its starter wanted kept beside it (where the files go, which transcript is played); never a secret."""
    finished: bool
    """Whether nothing is left to do."""


class Runs:
    """Runs of the team in one database; each is a thread with a checkpoint after every step."""

    def __init__(self, path: Path, *, max_corrections: int = 2) -> None:
        raise NotImplementedError

    def start(
        self,
        request: str,
        context: "TeamContext",
        *,
        module_name: str = "solution",
        max_iterations: int = 3,
        notes: Mapping[str, str] | None = None,
    ) -> TeamState:
        raise NotImplementedError

    def resume(self, run_id: str, context: "TeamContext") -> TeamState:
        raise NotImplementedError

    def saved(self, run_id: str) -> SavedRun:
        raise NotImplementedError
