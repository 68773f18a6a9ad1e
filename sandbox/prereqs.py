"""Finds a container engine, or says exactly what to do to get one.

`python -m sandbox.prereqs` prints what was found and exits 0, or prints the steps and exits 5.
"""

import contextlib
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.errors import EngineUnavailable

if TYPE_CHECKING:
    import docker

EXIT_SANDBOX = 5
PROBE_SECONDS = 10
REQUEST_SECONDS = 120
CONNECTIONS = 64
LOCAL = "http+docker:"
"""How the SDK writes the address of a socket or a pipe of this machine: no proxy stands before those."""

DEBIAN_STEPS = """\
Install and start one:
    sudo apt-get update && sudo apt-get install --yes docker.io
    sudo systemctl start docker        # or, without systemd: sudo dockerd &
    sudo usermod -aG docker "$USER"    # then log in again"""
LINUX_STEPS = """\
Install Docker or Podman with your distribution's package manager, then start it:
    Docker:  sudo systemctl enable --now docker && sudo usermod -aG docker "$USER"    # then log in again
    Podman:  systemctl --user enable --now podman.socket"""
MAC_STEPS = """\
Install and start one, for example:
    brew install colima docker && colima start
or start Docker Desktop."""
WINDOWS_STEPS = """\
Install Docker Desktop with the WSL 2 backend and start it:
    winget install Docker.DockerDesktop"""
OTHER_HOST = "Start the engine there, or correct or unset DOCKER_HOST."
REFUSED_STEPS = """\
The socket {socket} is there and refuses this user. Join its group, then log in again:
    sudo usermod -aG docker "$USER\""""


@dataclass(frozen=True)
class Engine:
    """A container engine that answered."""

    client: "docker.DockerClient"
    """A client of the Docker SDK, usable from several threads at once."""
    description: str
    """Name, version and address in one line."""


def find_engine() -> Engine:
    """The engine that the Docker command line would use (DOCKER_HOST, DOCKER_CONTEXT, the current context), else the
    first that answers at a well-known socket of Docker, rootless Docker, Podman, Docker Desktop or Colima. Whoever
    sets DOCKER_HOST gets that engine or none.

    Raises `EngineUnavailable` with the steps to take on this machine.
    """
    import docker
    from docker.utils import kwargs_from_env

    chosen = _connect(docker.from_env, "found as the docker command finds it")
    if chosen is not None:
        return chosen
    named = kwargs_from_env().get("base_url")
    if named:
        raise EngineUnavailable(f"No container engine answers at {named}, where DOCKER_HOST points.", OTHER_HOST)
    for socket in well_known_sockets():
        address = f"unix://{socket}"
        engine = _connect(docker.DockerClient, f"at {address}", base_url=address)
        if engine is not None:
            return engine
    raise EngineUnavailable("No container engine answers.", steps())


def _connect(make: Any, place: str, **options: Any) -> Engine | None:
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    client = None
    try:
        client = make(timeout=PROBE_SECONDS, max_pool_size=CONNECTIONS, **options)
        version = client.version()
    except (DockerException, RequestException, OSError, ValueError):  # ValueError: an address that is none
        if client is not None:
            client.close()
        return None
    client.api.timeout = REQUEST_SECONDS
    # Else every request looks for proxies in the environment, which another thread may be changing just then.
    client.api.trust_env = not client.api.base_url.startswith(LOCAL)
    name = (version.get("Platform") or {}).get("Name") or "Docker"
    return Engine(client, f"{name.strip()} {version.get('Version', '')}, {place}")


def well_known_sockets() -> Iterator[Path]:
    """The sockets of engines that are there."""
    user = os.getuid() if sys.platform != "win32" else 0
    home = Path.home()
    for socket in (
        Path("/var/run/docker.sock"),
        Path(f"/run/user/{user}/docker.sock"),
        home / ".docker/run/docker.sock",
        home / ".docker/desktop/docker.sock",
        home / ".colima/default/docker.sock",
        home / ".rd/docker.sock",
        Path(f"/run/user/{user}/podman/podman.sock"),
        Path("/run/podman/podman.sock"),
    ):
        with contextlib.suppress(OSError):  # a folder that may not be looked into
            if socket.exists():
                yield socket


def steps() -> str:
    """What a person on this machine does to get an engine."""
    refused = [socket for socket in well_known_sockets() if not os.access(socket, os.R_OK | os.W_OK)]
    if refused:
        return REFUSED_STEPS.format(socket=refused[0])
    system = platform.system()
    if system == "Linux":
        return DEBIAN_STEPS if _is_debian() else LINUX_STEPS
    return {"Darwin": MAC_STEPS, "Windows": WINDOWS_STEPS}.get(system, LINUX_STEPS)


def _is_debian() -> bool:
    try:
        release = platform.freedesktop_os_release()
    except OSError:  # a Linux that does not say what it is
        return False
    return "debian" in f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()


def main() -> int:
    """The command: one line on standard output, or the steps on standard error."""
    try:
        engine = find_engine()
    except EngineUnavailable as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_SANDBOX
    sys.stdout.write(f"{engine.description}\n")
    engine.client.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
