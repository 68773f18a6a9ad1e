"""A sandbox that runs the same job once: courses that differ late have their beginnings in common."""

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from sandbox import Job, Sandbox, TestReport
from sandbox.base import Progress


class Once:
    """Asks `sandbox` for what was not measured yet. Safe in threads; it does not close what it was given."""

    name = "once"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._known: dict[str, TestReport] = {}
        self._lock = threading.Lock()

    def prepare(self, progress: Progress) -> None:
        """Make the sandbox ready."""
        self._sandbox.prepare(progress)

    def run(self, job: Job) -> TestReport:
        """The report of a job, measured now or before."""
        return self._kept([job], lambda jobs: [self._sandbox.run(jobs[0])])[0]

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The reports of several jobs, those that are new measured together."""
        return self._kept(jobs, self._sandbox.run_many)

    def settle(self) -> None:
        """Wait for what the sandbox does in the background."""
        self._sandbox.settle()

    def close(self) -> None:
        """Nothing: whoever opened the sandbox closes it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _kept(self, jobs: Sequence[Job], measure: Callable[[list[Job]], list[TestReport]]) -> list[TestReport]:
        places = [job.model_dump_json() for job in jobs]
        with self._lock:
            fresh = {place: job for place, job in zip(places, jobs, strict=True) if place not in self._known}
        if fresh:
            reports = measure(list(fresh.values()))
            with self._lock:
                self._known.update(zip(fresh, reports, strict=True))
        return [self._known[place] for place in places]
