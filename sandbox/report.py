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
    """Exit code of pytest; negative: killed by that signal; `None`: it never ended by itself. Never the verdict."""
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

    @property
    def passed(self) -> bool:
        """Whether every test of the complete suite ran and passed."""
        return self.status == "passed"
