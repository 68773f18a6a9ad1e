"""The backend that counts: every run in a fresh container of its own, removed afterwards."""

import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from pydantic import ValidationError

from sandbox.base import Job, Progress
from sandbox.base_image import DEFAULT_BASE
from sandbox.container import ASK_AGAIN, Container, await_engine, our_errors, remove_labelled, throwaway
from sandbox.errors import ContainerFailed, EngineUnavailable, ImageUnavailable, SandboxError
from sandbox.image import ensure_image
from sandbox.owner import OWNER_LABEL, RUN_LABEL, is_dead, new_owner
from sandbox.prereqs import find_engine
from sandbox.protocol import GuestResult, Secret, job_message
from sandbox.report import TestReport
from sandbox.verdict import judge, judge_without_result

if TYPE_CHECKING:
    import docker

OUTER_SECONDS = 15
"""How much longer than the guest the host waits."""
RESTART_SECONDS = 60
"""How long an engine that has answered before is waited for."""


class DockerSandbox:
    """Runs each suite in a container of its own. Usable from several threads at once.

    Everything is connected, built and swept on first use, or by `prepare`.
    """

    name = "docker"

    def __init__(
        self,
        *,
        base_image: str = DEFAULT_BASE,
        packages: Path | None = None,
        runtime: str | None = None,
        client: "docker.DockerClient | None" = None,
    ) -> None:
        """`packages`: requirements of extra packages for generated code. `runtime`: name of another runtime of the
        engine. `client`: an engine of the caller's own choice.
        """
        self._base_image = base_image
        self._packages = packages
        self._runtime = runtime
        self._client = client
        self._image: str | None = None
        self._owner = new_owner()
        self._lock = threading.Lock()
        self._closed = False
        self._answered = False

    def prepare(self, progress: Progress) -> None:
        """Find the engine, clear away what dead processes left, build the image if it is not there.

        Raises `EngineUnavailable`, `ImageUnavailable`.
        """
        self._ready(progress)

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`. A fault of ours is tried once more with a fresh container, then raised.

        An engine that answered before and does not now may be restarting: it is waited for in between.
        """
        try:
            return self._run_once(job)
        except (ContainerFailed, EngineUnavailable, ImageUnavailable):
            client = self._client
            if self._closed or client is None:
                raise
            if self._answered:
                await_engine(client, RESTART_SECONDS, given_up=lambda: self._closed)
            with self._lock:
                self._image = None  # it may be the one that is gone
            return self._run_once(job)

    def close(self) -> None:
        """Remove the containers of this sandbox that are left, those of runs in other threads included."""
        self._closed = True
        with self._lock:
            client, self._client = self._client, None
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
            return self._client, self._image

    def _run_once(self, job: Job) -> TestReport:
        client, image = self._ready(lambda _: None)
        secret = Secret()
        labels = {OWNER_LABEL: self._owner, RUN_LABEL: job.run_id}
        try:
            with throwaway(client, image, job.limits, labels, self._runtime) as container:
                report = _report(container, job, secret)
        finally:
            if self._closed:
                client.close()  # again: we have used it since
        return report.model_copy(update={"backend": self.name, "image": image})


def _report(container: Container, job: Job, secret: Secret) -> TestReport:
    try:
        answer = container.run(job_message(job, secret), job.limits.seconds + OUTER_SECONDS)
    except ContainerFailed:
        if container.ran_out_of_memory():
            return judge_without_result("memory", job)
        raise
    if answer is None:
        return judge_without_result("timeout", job)
    try:
        result = GuestResult.model_validate_json(answer)
    except ValidationError as error:
        raise ContainerFailed("The guest's result has the wrong form.", ASK_AGAIN) from error
    return judge(result, job, secret)
