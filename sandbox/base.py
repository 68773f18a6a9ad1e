"""The contract between whoever wants a verdict and the backend that gives it."""

import keyword
import re
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sandbox.limits import Limits
from sandbox.report import TestReport

MAX_SOURCE_BYTES = 1_000_000
"""The longest module or suite that is accepted, in bytes of UTF-8."""

TAKEN = frozenset({"conftest", "pytest", "hypothesis", "pluggy", "iniconfig", "packaging", "pygments", "attr", "py"})
"""Modules that a test session imports."""

MAX_MARKERS = 32
"""The most markers that a job may register."""

_MARKER = re.compile(r"[A-Za-z_]\w{0,63}(?:\([^()\n]{0,200}\))?(?:: [^\n]{1,300})?", re.ASCII)

Progress = Callable[[str], None]
"""Is told, in one line, what a long preparation is doing."""


class Job(BaseModel):
    """One module and the pytest suite that judges it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: str = Field(max_length=MAX_SOURCE_BYTES)
    """Source of the module under test."""
    tests: str = Field(max_length=MAX_SOURCE_BYTES)
    """Source of the suite; it imports the module by `module_name`."""
    module_name: str = "solution"
    """Import name of the module; the suite's file is `test_<module_name>.py`."""
    markers: tuple[str, ...] = Field(default=(), max_length=MAX_MARKERS)
    """Markers that the suite may use, each as a line of pytest's `markers` setting: `slow: takes a minute`."""
    hash_seed: int = Field(default=0, ge=0, le=2**32 - 1)
    """Seed of the hashes of texts and bytes, and so of the order of sets; 0: hashes are not random."""
    order_seed: int = Field(default=0, ge=0, le=2**32 - 1)
    """Seed of the order of tests; 0: as they stand in the suite, 1: the other way round, others mix them."""
    limits: Limits = Limits()
    """What the run may use."""
    run_id: str = ""
    """Whose job this is; a container that is made for it carries it as a label, one that was parked ahead does not."""

    @field_validator("module_name")
    @classmethod
    def _importable(cls, name: str) -> str:
        if not is_module_name(name):
            raise ValueError(f"{name!r} cannot be the name of a module")
        return name

    @field_validator("markers")
    @classmethod
    def _registrable(cls, markers: tuple[str, ...]) -> tuple[str, ...]:
        for line in markers:
            if not _MARKER.fullmatch(line):
                raise ValueError(f"{line[:100]!r} registers no marker; write `name: what it means`")
        return markers

    @property
    def module_file(self) -> str:
        """File name of the module."""
        return f"{self.module_name}.py"

    @property
    def suite_file(self) -> str:
        """File name of the suite."""
        return f"test_{self.module_name}.py"


def is_module_name(name: str) -> bool:
    """Whether `name` is an ASCII identifier that hides no module of the standard library, of pytest or of the suite."""
    taken = name in TAKEN or name in sys.stdlib_module_names or name.startswith(("test_", "_"))
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not taken and len(name) <= 64


class Sandbox(Protocol):
    """Runs untrusted suites. Usable from several threads at once."""

    name: str
    """The backend's name in the table of backends."""

    def prepare(self, progress: Progress) -> None:
        """Make everything ready that a first run needs (an image, say); raises `SandboxError` with what to do."""

    def run(self, job: Job) -> TestReport:
        """Run the suite of `job` once.

        A suite that fails, hangs, floods or lies is a report that says so. Raises `SandboxError` only for faults
        on our side. Leaves nothing behind, in every case.
        """

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs` of one run (mutants, repeats, hash seeds), in their order.

        As for `run`, but a backend may let them share what it would make anew for each job of its own, and says what.
        """

    def settle(self) -> None:
        """Wait until nothing is being made ready or cleared away in the background."""

    def close(self) -> None:
        """Release what the backend holds (connections, containers)."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
