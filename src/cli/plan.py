"""What must be known to carry out a run, and the command that goes on with it."""

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from src.approvals import Answer
from src.policy import Point
from src.runs.edits import Changes
from src.state import Assume


@dataclass(frozen=True)
class Travel:
    """A step of a run that is gone back to."""

    run_id: str
    """The run."""
    at: str
    """The step, by its number or its checkpoint."""
    changes: Changes = field(default_factory=dict)
    """New values for parts of the state."""
    fork: bool = False
    """Whether a run of its own begins there; else that run goes on from there."""


KEPT = ("tiers", "env", "before", "offset", "lessons")
"""Notes that stay with a run as they are: what it has other than the settings say, whose lessons it is told, and, for a
transcript, how many replies were taken before it began (`before`), and how many more are taken than it was given itself
(`offset`)."""


@dataclass(frozen=True)
class Plan:
    """What must be known to carry out a run; all but `force`, `used`, `answer`, `travel` is kept beside its state."""

    run_id: str
    """Name of the run."""
    request: str
    """What is asked for."""
    module_name: str
    """Import name of the module."""
    max_iterations: int
    """Passes of the debugger at most."""
    folder: Path
    """Where the files go."""
    started_at: datetime
    """When the run was started (UTC)."""
    transcript: Path | None = None
    """Where replies come from in place of models."""
    record: Path | None = None
    """Where replies are recorded."""
    assume: Assume = "list"
    """What becomes of tests that rest on assumptions."""
    second_reading: bool = True
    """Whether the request is read a second time."""
    developers: int = 1
    """How many write a module each, at once."""
    approve: tuple[Point, ...] = ()
    """Where a person decides."""
    approve_when: tuple[str, ...] = ()
    """When that is asked; always without a condition."""
    force: bool = False
    """Whether files of other origin may be overwritten."""
    used: Mapping[str, int] | None = None
    """Replies taken from the transcript before; `None`: the run is a new one."""
    answer: Answer | None = None
    """What a person answered to what the run asked; already checked."""
    travel: Travel | None = None
    """Where the run begins, when that is within another one or within itself."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Notes that stay as they are; see `KEPT`."""

    @property
    def notes(self) -> dict[str, str]:
        """What `resume` needs besides the state."""
        notes = {"folder": str(self.folder.absolute()), "started_at": self.started_at.isoformat(), **self.kept}
        if self.transcript:
            notes["transcript"] = str(self.transcript.absolute())
        if self.record:
            notes["record"] = str(self.record.absolute())
        return notes


TEAM = "src.main"
"""The module that the team is started by."""


def resume_line(run_id: str, program: str = TEAM, command: str = "resume") -> str:
    """The command that goes on with a run, as it can be pasted where the run was started.

    `program`: the module that it was started by. `command`: its command that goes on with what is called `run_id`.
    """
    installed = program == TEAM and Path(sys.argv[0]).name == "selfheal"
    words = ["selfheal"] if installed else [_short(sys.orig_argv[0]), "-m", program]
    return shlex.join([*words, command, run_id])


def _short(program: str) -> str:
    """A path to `program` without detours, relative where it lies below this folder."""
    if os.sep not in program:
        return program
    path = Path(
        os.path.normpath(Path.cwd() / program)
    )  # not `resolve`: the link to Python is what makes the environment
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
