"""The tutorial's way: the suite runs on this machine, with this user's rights. For those who ask for it by name.

It isolates nothing: generated code can read and delete what the user can, use the network, and leave processes
behind. The verdict is judged as strictly as that of a container; the limits on memory, processes and disk are not kept.
"""

import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pydantic import ValidationError

from sandbox.base import Job, Progress
from sandbox.context import GUEST
from sandbox.errors import ContainerFailed, EngineUnavailable
from sandbox.failure import one_line
from sandbox.protocol import MAX_MESSAGE_BYTES, GuestResult, Ready, Secret, job_message
from sandbox.report import TestReport
from sandbox.verdict import judge, judge_without_result

READY_SECONDS = 60
OUTER_SECONDS = 15
END_SECONDS = 5
WARNING = "SANDBOX_BACKEND=subprocess isolates nothing: generated code runs on this machine with your rights"
NEEDS_PYTEST = f"Install them beside selfheal: {sys.executable} -m pip install pytest hypothesis"


class SubprocessSandbox:
    """Runs each suite in a process of this machine, in a temporary folder, with a clean environment.

    The processes that it starts are killed with their group afterwards; one that left its group survives.
    """

    name = "subprocess"

    def prepare(self, progress: Progress) -> None:
        """Say what this backend does not do. Raises `EngineUnavailable` where it cannot run at all."""
        if sys.platform == "win32":
            raise EngineUnavailable("The subprocess backend needs Linux or macOS.", "Use SANDBOX_BACKEND=docker.")
        missing = [name for name in ("pytest", "hypothesis") if find_spec(name) is None]
        if missing:
            raise EngineUnavailable(f"The subprocess backend needs {' and '.join(missing)}.", NEEDS_PYTEST)
        progress(WARNING)

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`. Raises `ContainerFailed` when no pytest session could be started."""
        with tempfile.TemporaryDirectory(prefix="selfheal-", ignore_cleanup_errors=True) as folder:
            (Path(folder) / "tmp").mkdir()
            command = [sys.executable, "-I", "-S", str(GUEST / "supervisor.py"), folder, "--plain"]
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env={}, start_new_session=True
            ) as supervisor:
                try:
                    return _serve(supervisor, job).model_copy(
                        update={"backend": f"{self.name} (isolates nothing)", "isolation": "none"}
                    )
                finally:
                    _end(supervisor)

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs`, one after the other, each as `run` gives it."""
        return [self.run(job) for job in jobs]

    def settle(self) -> None:
        """Nothing goes on in the background."""

    def close(self) -> None:
        """Nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _end(supervisor: subprocess.Popen[bytes]) -> None:
    supervisor.terminate()  # it takes the worker's group with it
    try:
        supervisor.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        supervisor.kill()


def _serve(supervisor: subprocess.Popen[bytes], job: Job) -> TestReport:
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    secret = Secret()
    try:
        ready = Ready.model_validate_json(_receive(supervisor.stdout, READY_SECONDS) or b"")
        if not ready.ready:
            raise ContainerFailed(f"pytest did not start: {one_line(ready.output, 1000)}", NEEDS_PYTEST)
        supervisor.stdin.write(job_message(job, secret))
        supervisor.stdin.flush()
        answer = _receive(supervisor.stdout, job.limits.seconds + OUTER_SECONDS)
        if answer is None:
            return judge_without_result("timeout", job)
        return judge(GuestResult.model_validate_json(answer), job, secret)
    except (OSError, ValidationError) as error:
        raise ContainerFailed(f"The supervisor of the test run failed: {one_line(str(error), 1000)}") from error


def _receive(pipe: IO[bytes], seconds: float) -> bytes | None:
    """The next message; `None` when it is not whole in time. Raises `OSError` when the other end is gone."""
    deadline = time.monotonic() + seconds
    head = _read(pipe, 4, deadline)
    if head is None:
        return None
    length = int.from_bytes(head, "big")
    if length > MAX_MESSAGE_BYTES:
        raise OSError("a message is longer than any that is sent")
    return _read(pipe, length, deadline)


def _read(pipe: IO[bytes], count: int, deadline: float) -> bytes | None:
    data = b""
    while len(data) < count:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        chunk = pipe.raw.read(count - len(data))  # type: ignore[attr-defined]  # unbuffered, or select would not know
        if not chunk:
            raise OSError("it ended without a result")
        data += chunk
    return data
