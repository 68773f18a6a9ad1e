"""What a test run measured. Everything in it came out of a container and was validated and bounded on the way."""

from collections import Counter
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal[
    "passed",
    "failed",
    "collection_error",
    "no_tests",
    "not_all_passed",
    "incomplete",
    "crashed",
    "out_of_memory",
    "timeout",
    "output_flood",
    "disk_full",
    "tampered",
]
"""`passed` is the only green one. `not_all_passed`: a test was skipped or marked as expected to fail. `incomplete`:
the run ended before the suite did. `tampered`: the report contradicts itself or the suite's source."""

Outcome = Literal["passed", "failed", "error", "skipped", "xfailed", "xpassed", "not_run"]
"""`error`: set-up or teardown failed. `not_run`: collected, but the run was stopped before or within it."""

StopReason = Literal["timeout", "memory", "processes", "output", "disk", "crash"]
"""`processes`: more of them were wanted than may exist; the status is then `incomplete`."""

Isolation = Literal["none", "one process", "separate process"]
"""What stood between the module and what judged it. `none`: no container. `one process`: module and suite shared a
process in a container. `separate process`: a second run, with the module in a process of its own, said the same."""


class Comparison(BaseModel):
    """An assertion that compared two values and failed."""

    model_config = ConfigDict(extra="forbid")

    left: str
    """The left value, described without running its code, bounded."""
    operator: str
    """What stood between them, for example `==` or `not in`."""
    right: str
    """The right value, described in the same way."""


class ModuleFrame(BaseModel):
    """A call in the module under test that an exception went through."""

    model_config = ConfigDict(extra="forbid")

    function: str
    """Qualified name of the function; `<module>` for its top level."""
    line: int
    """Line of the module."""
    source: str = ""
    """What stands in that line."""
    values: dict[str, str] = Field(default_factory=dict)
    """The function's first local values by name, described without running their code, bounded."""


class TestOutcome(BaseModel):
    """One test of the suite."""

    __test__ = False
    model_config = ConfigDict(extra="forbid")

    id: str
    """Name within the suite, for example `TestLimiter::test_burst[3]`."""
    outcome: Outcome
    """What became of it."""
    seconds: float = 0.0
    """Duration of set-up, call and teardown together."""
    message: str = ""
    """One line: exception type and text."""
    traceback: str = ""
    """The relevant part of the traceback, bounded."""
    exception: str = ""
    """Qualified name of the exception's type; empty when none was raised, or after the first 30 failures."""
    line: int | None = None
    """Line of the suite where it failed; `None` when that is not known."""
    source: str = ""
    """What stands in that line."""
    comparison: Comparison | None = None
    """Both sides of the assertion that failed, where there were two."""
    frames: list[ModuleFrame] = Field(default_factory=list)
    """Calls in the module that the exception went through, outermost first."""
    stdout: str = ""
    """What it printed through `sys.stdout`, bounded; known once it has ended."""
    stderr: str = ""
    """What it printed through `sys.stderr`, bounded; known once it has ended."""


class TestCounts(BaseModel):
    """How many tests ended in each way."""

    __test__ = False
    model_config = ConfigDict(extra="forbid")

    collected: int = 0
    """Tests that the suite defines, parametrised cases counted one by one."""
    passed: int = 0
    """Tests that ran and passed."""
    failed: int = 0
    """Tests whose call failed."""
    errors: int = 0
    """Tests whose set-up or teardown failed."""
    other: int = 0
    """Tests skipped, expected to fail, or never run."""

    @classmethod
    def of(cls, tests: list[TestOutcome]) -> "TestCounts":
        """Count `tests` by outcome."""
        by = Counter(test.outcome for test in tests)
        known = by["passed"] + by["failed"] + by["error"]
        return cls(
            collected=len(tests),
            passed=by["passed"],
            failed=by["failed"],
            errors=by["error"],
            other=len(tests) - known,
        )


class Resources(BaseModel):
    """What a run used of the machine."""

    model_config = ConfigDict(extra="forbid")

    cpu_seconds: float | None = None
    """Processor time of all its processes; `None`: not measured."""
    peak_memory_mb: float | None = None
    """The most memory in use at once, in MiB: of the container since its start, or of the largest process where there
    is none; `None`: not measured."""


class Leftovers(BaseModel):
    """Processes that a run left behind. They ended with its container."""

    model_config = ConfigDict(extra="forbid")

    count: int = 0
    """How many there were."""
    names: list[str] = Field(default_factory=list)
    """What the first of them called themselves."""


class TestReport(BaseModel):
    """The measured result of one run of a suite against a module."""

    __test__ = False
    model_config = ConfigDict(extra="forbid")

    status: Status
    """What the run as a whole came to."""
    reason: str = ""
    """Why the status is not `passed`, in one line."""
    stopped_by: StopReason | None = None
    """The limit or fault that ended the run early, if one did."""
    exit_code: int | None = None
    """Exit code of pytest, our own tests aside; negative: killed by that signal; `None`: it never ended by itself.
    Never the verdict."""
    counts: TestCounts = Field(default_factory=TestCounts)
    """Totals of `tests`."""
    tests: list[TestOutcome] = Field(default_factory=list)
    """One entry for each collected test, in order of execution."""
    output: str = ""
    """What the run printed, bounded: start and end are kept."""
    output_bytes: int = 0
    """How much it printed in all."""
    error_summary: str = ""
    """Only the text that helps to mend the failure; empty when the suite passed."""
    seconds: float = 0.0
    """Wall-clock seconds inside the container from job to end."""
    backend: str = ""
    """The sandbox backend that ran it."""
    image: str = ""
    """Digest of the image that it ran in; empty for backends without one."""
    resources: Resources = Field(default_factory=Resources)
    """What it used of the machine, in processor time and memory."""
    leftovers: Leftovers = Field(default_factory=Leftovers)
    """Processes that were still alive when it was over."""
    isolation: Isolation = "none"
    """What stood between the module and what judged it."""
    isolation_reason: str = ""
    """Why a green verdict could not be confirmed with the module in a process of its own; empty if it was, or if that
    was not tried."""

    @property
    def passed(self) -> bool:
        """Whether every test of the complete suite ran and passed."""
        return self.status == "passed"
