"""One throwaway container: made behind walls, spoken to over its attach stream, removed whatever happens."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from sandbox.channel import AttachChannel, ChannelClosed, ChannelSilent
from sandbox.errors import ContainerFailed, EngineUnavailable, ImageUnavailable
from sandbox.failure import one_line
from sandbox.limits import Limits
from sandbox.protocol import Ready

if TYPE_CHECKING:
    import docker

READY_SECONDS = 60
SEND_SECONDS = 30
REMOVE_ATTEMPTS = 5
RAISE_LIMITS = "If they were set low, raise SANDBOX_MEMORY_MB and SANDBOX_PROCESSES; else try again."
ASK_AGAIN = "Try again; `docker info` and the log of the engine's service tell more if it stays."
COMMAND = ("python3", "-I", "-S", "/opt/selfheal/supervisor.py", "/job")
SUPERVISOR = 10001
Mode = Literal["one", "many", "split"]
"""One job; job after job; one job whose module has a process of its own."""
SHARED_MEMORY = 4
SECOND_MB, SECOND_PROCESSES = 64, 16


def walls(limits: Limits, runtime: str | None = None) -> dict[str, Any]:
    """The options of the engine that shut a container in. sandbox/README.md says what each of them stops."""
    memory = f"{limits.memory_mb}m"
    shut = "rw,noexec,nosuid,nodev"
    return {
        "user": "0:0",  # of which the guest keeps nothing: it becomes two other users before the job arrives
        "cap_drop": ["ALL"],
        "cap_add": ["SETUID", "SETGID"],
        "security_opt": ["no-new-privileges"],
        "network_mode": "none",
        "network_disabled": True,  # beside network_mode: it halves the time that a start takes
        "read_only": True,
        "tmpfs": {
            "/tmp": f"{shut},size={limits.disk_mb}m,mode=1777",
            "/dev/shm": f"{shut},size={SHARED_MEMORY}m,mode=1777",  # multiprocessing keeps its locks there
            "/job": f"{shut},size=4m,mode=0755,uid={SUPERVISOR},gid={SUPERVISOR}",
        },
        "mem_limit": memory,
        "memswap_limit": memory,
        "pids_limit": limits.processes,
        "nano_cpus": int(limits.cpus * 1e9),
        "ipc_mode": "none",
        "log_config": {"type": "none"},
        "hostname": "sandbox",
        "runtime": runtime,
    }


def _room(limits: Limits, mode: Mode) -> Limits:
    """A module in a process of its own needs a second interpreter, which is not the job's to pay for."""
    if mode != "split":
        return limits
    return limits.model_copy(
        update={"memory_mb": limits.memory_mb + SECOND_MB, "processes": limits.processes + SECOND_PROCESSES}
    )


class Container:
    """One container, from before it is asked for until it is removed.

    Its name is known before it is asked for, so that even a request that was interrupted halfway can be undone.
    """

    def __init__(self, client: "docker.DockerClient", image: str) -> None:
        self.image = image
        self.name = f"selfheal-{uuid.uuid4().hex}"
        self.born = time.monotonic()
        self._client = client
        self._raw: Any = None
        self._channel: AttachChannel | None = None

    def start(self, limits: Limits, labels: dict[str, str], runtime: str | None = None, mode: Mode = "one") -> None:
        """Make it and wait until its guest waits for a job of its `mode`.

        Raises `ContainerFailed`, `EngineUnavailable`, `ImageUnavailable`. To be removed in any case.
        """
        options = {
            "stdin_open": True,
            **walls(_room(limits, mode), runtime),
        }  # closed with our end of it: an orphan ends by itself
        if mode != "one":
            options["command"] = [*COMMAND, f"--{mode}"]
        with our_errors():
            self._raw = self._client.containers.create(self.image, name=self.name, labels=labels, **options)
            stream = self._client.api.attach_socket(
                self.name, params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            )
            self._channel = AttachChannel(stream)
            self._raw.start()
        self.await_ready()

    def await_ready(self) -> None:
        """Wait until its pytest session stands. Raises `ContainerFailed`."""
        try:
            ready = Ready.model_validate_json(self._line.receive(READY_SECONDS))
        except (ChannelClosed, ChannelSilent, ValidationError) as error:
            raise ContainerFailed(f"The container did not get ready: {self._last_words(error)}", ASK_AGAIN) from error
        if not ready.ready:
            told = one_line(ready.output, 1000) or "it said nothing"
            raise ContainerFailed(f"pytest did not start in the container: {told}", RAISE_LIMITS)

    def send(self, message: bytes) -> None:
        """Send the job. Raises `ContainerFailed`."""
        try:
            self._line.send(message, SEND_SECONDS)
        except ChannelClosed as error:
            raise self._ended(error) from error

    def receive(self, seconds: float) -> bytes | None:
        """Wait for the result; `None` when none came within `seconds`. Raises `ContainerFailed`."""
        try:
            return self._line.receive(seconds)
        except ChannelSilent:
            return None
        except ChannelClosed as error:
            raise self._ended(error) from error

    def _ended(self, error: ChannelClosed) -> ContainerFailed:
        return ContainerFailed(f"The container ended without a result: {self._last_words(error)}", ASK_AGAIN)

    @property
    def waits(self) -> bool:
        """Whether its guest still waits for a job. Asks nobody: the end of a container ends its attach stream."""
        return self._line.quiet

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended it, supervisor included, for want of memory."""
        with our_errors():
            self._raw.reload()
        return bool(self._raw.attrs["State"].get("OOMKilled"))

    def hang_up(self) -> None:
        """End the conversation, and so the guest; whoever waits for its answer is told that it is closed."""
        if self._channel is not None:
            self._channel.close()

    def remove(self) -> None:
        """End it and remove it, whatever state it is in. Raises nothing: what cannot be removed is left to a sweep."""
        self.hang_up()  # first: to kill a container waits for its attach stream
        _remove(self._client, self.name, certain=self._raw is not None)

    @property
    def _line(self) -> AttachChannel:
        assert self._channel is not None, "the container was not started"
        return self._channel

    def _last_words(self, error: Exception) -> str:
        told = self._line.stderr.decode("utf-8", "replace")
        return one_line(f"{error} {told}", 1000)


def _remove(client: "docker.DockerClient", name: str, certain: bool) -> None:
    """Remove it, also when a second Ctrl-C falls into the middle. An unanswered request to make it may come late."""
    try:
        _try_to_remove(client, name, certain)
    except KeyboardInterrupt:
        _try_to_remove(client, name, certain)
        raise


def _try_to_remove(client: "docker.DockerClient", name: str, certain: bool) -> None:
    from docker.errors import APIError, NotFound
    from requests.exceptions import RequestException

    for attempt in range(REMOVE_ATTEMPTS):
        try:
            client.api.remove_container(name, force=True, v=True)
            return
        except NotFound:
            if certain:
                return
        except (APIError, RequestException):  # 409: someone else is removing it; or the engine went away
            if attempt == REMOVE_ATTEMPTS - 1:
                return  # labelled: the next sweep finds it
        time.sleep(0.1)


@contextmanager
def our_errors() -> Iterator[None]:
    """Turns what the SDK raises into our own errors."""
    from docker.errors import APIError, DockerException, ImageNotFound
    from requests.exceptions import RequestException

    try:
        yield
    except ImageNotFound as error:
        raise ImageUnavailable("The sandbox image is gone.", "Run again: it is then built anew.") from error
    except APIError as error:
        raise ContainerFailed(f"The engine refused: {one_line(str(error), 1000)}", ASK_AGAIN) from error
    except (DockerException, RequestException) as error:
        told = f"The container engine does not answer: {one_line(str(error), 500)}"
        raise EngineUnavailable(told, "See that it runs (docker info), then try again.") from error


def await_engine(client: "docker.DockerClient", seconds: float, given_up: Callable[[], bool]) -> None:
    """Wait until the engine answers, which may just be restarting: at most `seconds`, or until `given_up` says yes."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not given_up():
        with suppress(DockerException, RequestException):
            client.ping()
            return
        time.sleep(0.2)


def remove_labelled(client: "docker.DockerClient", label: str, keep: Any = None) -> int:
    """Remove all containers with `label` (`name` or `name=value`) but those whose labels `keep` says yes to."""
    from docker.errors import APIError, NotFound

    removed = 0
    for found in client.api.containers(all=True, filters={"label": label}):
        if keep is not None and keep(found.get("Labels") or {}):
            continue
        with suppress(NotFound, APIError):  # already going
            client.api.remove_container(found["Id"], force=True, v=True)
            removed += 1
    return removed
