"""A sandbox for tests of what uses one: it answers from a list or a function and runs nothing."""

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from sandbox.base import Job, Progress
from sandbox.failure import summarise
from sandbox.report import Status, TestCounts, TestOutcome, TestReport

Answer = TestReport | Exception


class FakeSandbox:
    """Answers each job with the next of `answers` (an exception is raised), or with what a function makes of it."""

    name = "fake"

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[Job], TestReport],
        *,
        series: Callable[[Job], TestReport] | None = None,
    ) -> None:
        """`series`: answers each job of `run_many`, which otherwise takes the next of `answers` as well."""
        self._answer = answers if callable(answers) else None
        self._left = [] if callable(answers) else list(answers)
        self._series = series
        self.jobs: list[Job] = []
        """Every job that was run, in order."""
        self.series_jobs: list[Job] = []
        """Every job that `series` answered, in order; none of them is among `jobs`."""
        self.prepared = False
        """Whether `prepare` was called."""
        self.closed = False
        """Whether `close` was called."""

    def prepare(self, progress: Progress) -> None:
        """Note that it was called."""
        progress("nothing to prepare")
        self.prepared = True

    def run(self, job: Job) -> TestReport:
        """The next answer. Raises `AssertionError` when there is none left."""
        self.jobs.append(job)
        if self._answer is not None:
            return self._answer(job)
        assert self._left, f"run {len(self.jobs)} was not expected"
        answer = self._left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The answers of `series`, or else the next answers, one for each of `jobs`."""
        if self._series is None:
            return [self.run(job) for job in jobs]
        self.series_jobs.extend(jobs)
        return [self._series(job) for job in jobs]

    def settle(self) -> None:
        """Nothing goes on in the background."""

    def close(self) -> None:
        """Note that it was called."""
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def passing_report(tests: Sequence[str] = ("test_it",)) -> TestReport:
    """A green report of `tests`."""
    return _report("passed", "", [TestOutcome(id=name, outcome="passed", seconds=0.001) for name in tests])


def failing_report(
    failed: Sequence[str] = ("test_it",), passed: Sequence[str] = (), message: str = "assert 1 == 2"
) -> TestReport:
    """A report in which the tests of `failed` fail with `message`, after those of `passed`."""
    outcomes = [TestOutcome(id=name, outcome="passed", seconds=0.001) for name in passed]
    for name in failed:
        traceback = f"test_solution.py:3: in {name}\nE   {message}"
        outcomes.append(TestOutcome(id=name, outcome="failed", seconds=0.001, message=message, traceback=traceback))
    return _report("failed", f"{len(failed)} of {len(outcomes)} tests failed", outcomes)


def _report(status: Status, reason: str, tests: list[TestOutcome]) -> TestReport:
    return TestReport(
        status=status,
        reason=reason,
        exit_code=0 if status == "passed" else 1,
        counts=TestCounts.of(tests),
        tests=tests,
        error_summary="" if status == "passed" else summarise(reason, [], tests),
        seconds=0.01,
        backend="fake",
    )
