"""Finding an engine, or saying what to do."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import docker
import pytest

from sandbox import EngineUnavailable, prereqs

pytestmark = [pytest.mark.usefixtures("refused_connections"), pytest.mark.filterwarnings("ignore::ResourceWarning")]

WELL_KNOWN_SOCKETS = prereqs.well_known_sockets


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No engine answers anywhere: nothing is named, and the default socket is not there."""
    nobody = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setattr("docker.from_env", lambda **options: docker.DockerClient(base_url=nobody, **options))
    monkeypatch.setattr(prereqs, "well_known_sockets", lambda: iter(()))


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize(
    ("system", "release", "step"),
    [
        ("Linux", {"ID": "debian"}, "apt-get install --yes docker.io"),
        ("Linux", {"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "apt-get install --yes docker.io"),
        ("Linux", {"ID": "fedora"}, "podman.socket"),
        ("Darwin", {}, "colima start"),
        ("Windows", {}, "winget install Docker.DockerDesktop"),
    ],
)
def test_without_an_engine_the_steps_fit_the_platform(
    monkeypatch: pytest.MonkeyPatch, system: str, release: dict[str, str], step: str
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: release)

    with pytest.raises(EngineUnavailable) as error:
        prereqs.find_engine()
    assert step in error.value.remedy


@pytest.mark.usefixtures("no_engine")
def test_a_socket_that_refuses_this_user_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    refusing = tmp_path / "docker.sock"
    monkeypatch.setattr(prereqs, "well_known_sockets", lambda: iter([refusing]))
    monkeypatch.setattr("os.access", lambda *_: False)

    with pytest.raises(EngineUnavailable) as error:
        prereqs.find_engine()
    assert error.value.message == "No container engine answers."
    assert str(refusing) in error.value.remedy
    assert "usermod" in error.value.remedy


def test_a_docker_host_that_does_not_answer_is_not_replaced_by_another_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")

    with pytest.raises(EngineUnavailable, match=r"nobody\.sock, where DOCKER_HOST points") as error:
        prereqs.find_engine()
    assert "unset DOCKER_HOST" in error.value.remedy


@pytest.mark.usefixtures("no_engine")
def test_something_else_behind_the_socket_is_no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "closed.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    monkeypatch.setattr(prereqs, "well_known_sockets", lambda: iter([path]))

    with pytest.raises(EngineUnavailable):
        prereqs.find_engine()


def test_an_address_that_is_none_is_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "nonsense://")

    with pytest.raises(EngineUnavailable):
        prereqs.find_engine()


@pytest.mark.docker
def test_an_engine_at_a_well_known_socket_is_found(
    engine: prereqs.Engine, no_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert no_engine is None
    monkeypatch.setattr(prereqs, "well_known_sockets", WELL_KNOWN_SOCKETS)
    if not list(prereqs.well_known_sockets()):
        pytest.skip(f"{engine.description} is not at a well-known socket")
    found = prereqs.find_engine()
    answered = found.client.ping()
    found.client.close()

    assert answered
    assert ".sock" in found.description


@pytest.mark.docker
def test_a_socket_of_this_machine_is_asked_without_a_look_at_the_environment(
    engine: prereqs.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looked_at(*_: Any, **__: Any) -> None:
        raise KeyError("a variable that another thread has just taken away")

    monkeypatch.setattr("requests.sessions.get_environ_proxies", looked_at)
    assert engine.client.ping()


@pytest.fixture
def command() -> Any:
    """Runs `python -m sandbox.prereqs`."""

    def run(**environment: str) -> "subprocess.CompletedProcess[str]":
        call = [sys.executable, "-m", "sandbox.prereqs"]
        return subprocess.run(call, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", **environment})

    return run


@pytest.mark.docker
@pytest.mark.usefixtures("engine")
def test_the_command_prints_the_engine_in_one_line(command: Any) -> None:
    done = command()

    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_the_command_prints_the_steps_and_exits_5(capsys: pytest.CaptureFixture[str], no_engine: None) -> None:
    assert no_engine is None
    assert prereqs.main() == 5
    told = capsys.readouterr()
    assert told.out == ""
    assert "No container engine answers." in told.err
