"""Job after job of one run in one container, and on in a fresh one when that one is spent."""

from collections.abc import Callable

from sandbox.base import Job
from sandbox.container import Container
from sandbox.errors import ContainerFailed
from sandbox.pool import Pool, Shape
from sandbox.report import TestReport

SPENT_BY = ("memory", "processes", "disk")
"""Limits of the container as a whole: after one was crossed, no later job is counted against what is left of it."""


class Series:
    """Runs jobs one after the other, in one container for each shape that they need. For one thread."""

    def __init__(self, pool: Pool, verdict: Callable[[Container, Job], TestReport]) -> None:
        """`verdict`: runs a job in a container whose guest waits for it."""
        self._pool = pool
        self._verdict = verdict
        self._open: dict[Shape, Container] = {}

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`."""
        shape = Shape.of(job.limits, "many")
        container = self._waiting(shape, job.run_id)
        usable = False
        try:
            report = self._verdict(container, job)
            usable = report.stopped_by not in SPENT_BY
        finally:
            if not usable:
                self._discard(shape)
        return report

    def end(self) -> None:
        """Give the containers up."""
        for shape in list(self._open):
            self._discard(shape)

    def _waiting(self, shape: Shape, run_id: str) -> Container:
        if shape in self._open:
            try:
                self._open[shape].await_ready()  # what the last job left is cleared away
                return self._open[shape]
            except ContainerFailed:
                self._discard(shape)
        self._open[shape] = self._pool.take(shape, run_id)
        return self._open[shape]

    def _discard(self, shape: Shape) -> None:
        self._pool.discard(self._open.pop(shape), shape)
