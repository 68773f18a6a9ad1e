"""The backend that counts: every run in a fresh container of its own, removed afterwards."""

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sandbox.agreement import agreed
from sandbox.base import Job, Progress
from sandbox.base_image import DEFAULT_BASE
from sandbox.container import Container, Mode, await_engine, our_errors, remove_labelled
from sandbox.conversation import Conversation
from sandbox.errors import ContainerFailed, EngineUnavailable, ImageUnavailable, SandboxError
from sandbox.image import ensure_image
from sandbox.limits import Limits
from sandbox.owner import OWNER_LABEL, RUN_LABEL, is_dead, new_owner
from sandbox.pool import Pool, Shape, Taking
from sandbox.prereqs import find_engine
from sandbox.report import TestReport
from sandbox.rewritten import RewrittenSuites
from sandbox.series import Series

if TYPE_CHECKING:
    import docker

RESTART_SECONDS = 60
"""How long an engine that has answered before is waited for."""
OUR_FAULTS = (ContainerFailed, EngineUnavailable, ImageUnavailable)


class DockerSandbox:
    """Runs each suite in a container of its own. Usable from several threads at once.

    Everything is connected, built and swept on first use, or by `prepare`. From then on containers are kept parked:
    started ahead, each with a pytest session that waits for its one job.
    """

    name = "docker"

    def __init__(
        self,
        *,
        base_image: str = DEFAULT_BASE,
        packages: Path | None = None,
        runtime: str | None = None,
        client: "docker.DockerClient | None" = None,
        pool_size: int = 2,
        limits: Limits | None = None,
        confirm: bool = True,
        series: bool = False,
    ) -> None:
        """`packages`: requirements of extra packages for generated code. `runtime`: name of another runtime of the
        engine. `client`: an engine of the caller's own choice.

        `pool_size`: containers that are kept parked for each kind of limits in use; 0: each is made when it is needed.
        `limits`: those that the first job will have, so that it finds a container parked.
        `confirm`: whether a green verdict is confirmed by a second run, with the module in a process of its own.
        `series`: whether `run_many` will be asked for, so that its first container is parked too.
        """
        self._base_image = base_image
        self._packages = packages
        self._runtime = runtime
        self._client = client
        self._expected = limits or Limits()
        self._confirm = confirm
        needed: dict[Mode, bool] = {"one": True, "split": confirm, "many": series}
        self._foreseen = [mode for mode in needed if needed[mode]]
        self._image: str | None = None
        self._owner = new_owner()
        self._lock = threading.Lock()
        self._closed = False
        self._answered = False
        self._at_exit: weakref.finalize[[docker.DockerClient, str], DockerSandbox] | None = None
        self._pool = Pool(self._make, pool_size)
        self._suites = RewrittenSuites()

    def prepare(self, progress: Progress) -> None:
        """Find the engine, clear away what dead processes left, build the image if it is not there.

        The first containers are parked in the background. Raises `EngineUnavailable`, `ImageUnavailable`.
        """
        self._ready(progress)
        for mode in self._foreseen:
            self._pool.park(Shape.of(self._expected, mode))

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`. A fault of ours is tried once more with a fresh container, then raised.

        An engine that answered before and does not now may be restarting: it is waited for in between.
        """
        return self._twice(lambda: self._run_once(job))

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs` of one run, in their order, several in one throwaway container.

        Each has a fresh child of a parked session, with a uid, limits, files and a report of its own, and when it is
        over, all that it left is ended and removed before the next begins; a container in which that fails is thrown
        away. What they share, and runs in containers of their own do not: the kernel's name spaces (System V shared
        memory, say), the container's memory and processes, and a fork server that keeps SETUID and SETGID. Never mix
        the jobs of different runs. A fault of ours is tried once more, then raised.
        """
        with self._series() as series:
            return [self._twice(lambda job=job: series.run(job)) for job in jobs]  # type: ignore[misc]  # of one job

    def settle(self) -> None:
        """Wait until no container is being made or removed, as is the case when a model thinks for a second."""
        self._pool.settle()

    def close(self) -> None:
        """Remove the containers of this sandbox that are left, those of runs in other threads included."""
        self._closed = True
        self._pool.close()
        with self._lock:
            client, self._client = self._client, None
            if self._at_exit is not None:
                self._at_exit.detach()
        if client is not None:
            with our_errors():
                remove_labelled(client, f"{OWNER_LABEL}={self._owner}")
            client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready(self, progress: Progress) -> "tuple[docker.DockerClient, str]":
        if self._closed:
            raise SandboxError("This sandbox was closed.")
        with self._lock:
            if self._client is None:
                self._client = find_engine().client
            if self._image is None:
                with our_errors():
                    remove_labelled(self._client, OWNER_LABEL, keep=lambda labels: not is_dead(labels[OWNER_LABEL]))
                    self._image = ensure_image(self._client, self._base_image, progress, self._packages)
                    self._answered = True
                if self._at_exit is None:
                    self._at_exit = weakref.finalize(self, _leave_nothing, self._client, self._owner)
            return self._client, self._image

    def _make(self, shape: Shape, run_id: str) -> Container:
        """Done in threads of the pool."""
        client, image = self._ready(lambda _: None)
        container = Container(client, image)
        try:
            labels = {OWNER_LABEL: self._owner} | ({RUN_LABEL: run_id} if run_id else {})
            container.start(shape.limits, labels, self._runtime, shape.mode)
        except BaseException:  # raised again, whatever it is
            container.remove()
            raise
        return container

    def _twice(self, act: Callable[[], TestReport]) -> TestReport:
        try:
            report = act()
        except OUR_FAULTS:
            client = self._client
            if self._closed or client is None:
                raise
            if self._answered:
                await_engine(client, RESTART_SECONDS, given_up=lambda: self._closed)
            with self._lock:
                self._image = None  # it may be the one that is gone
            report = act()
        return report.model_copy(update={"backend": self.name})

    def _run_once(self, job: Job) -> TestReport:
        if not self._confirm:
            return self._alone(job)
        if job.hash_seed:
            return agreed(self._alone(job), None, "a hash seed of the job's own")
        return self._confirmed(job)

    def _alone(self, job: Job) -> TestReport:
        with self._taken(job, "one") as take:
            return Conversation(take(), job, self._suites).end()[0]

    def _confirmed(self, job: Job) -> TestReport:
        """The verdict of two runs. Where a second container is parked both go on at once, or else one after the other.

        Neither is replaced before the end: making a container takes the processor away from both.
        """
        with self._taken(job, "one") as take, self._taken(job, "split") as take_apart:
            first = Conversation(take(), job, self._suites)
            parked = take_apart(parked_only=True)
            second = Conversation(parked, job, self._suites, apart=True) if parked else None
            report, _ = first.end()
            if not report.passed:
                return report
            second = second or Conversation(take_apart(), job, self._suites, apart=True)
            return agreed(report, *second.end())

    @contextmanager
    def _taken(self, job: Job, mode: Mode) -> Iterator["Taking"]:
        """Hands out a container of `mode` when it is asked for, and gives it up on the way out of the block."""
        taking = Taking(self._pool, Shape.of(job.limits, mode), job.run_id)
        try:
            yield taking
        finally:
            taking.give_up()

    @contextmanager
    def _series(self) -> Iterator[Series]:
        series = Series(self._pool, lambda container, job: Conversation(container, job, self._suites).end()[0])
        try:
            yield series
        finally:
            series.end()


def _leave_nothing(client: "docker.DockerClient", owner: str) -> None:
    """For programs that end without closing their sandbox."""
    with suppress(SandboxError, RuntimeError), our_errors():  # RuntimeError: the client was closed
        remove_labelled(client, f"{OWNER_LABEL}={owner}")
