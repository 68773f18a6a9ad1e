"""Nothing is left behind, and our own faults are told apart from verdicts. Real containers."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from docker.errors import APIError

from sandbox import ContainerFailed, EngineUnavailable, ImageUnavailable, Job, Limits, Sandbox, SandboxError
from sandbox.channel import AttachChannel
from sandbox.container import Container
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL, RUN_LABEL, new_owner
from sandbox.prereqs import Engine
from tests.sandbox.test_kill import eventually_gone, settled

pytestmark = pytest.mark.docker
GREEN = Job(code="", tests="def test_a(): ...", run_id="run-of-a-test")
ENDLESS = Job(code="", tests="def test_a():\n    while True: pass", limits=Limits(seconds=60))


@pytest.fixture
def own(container: Sandbox) -> Iterator[DockerSandbox]:
    """A sandbox of the test's own, whose containers can be told by their owner; its image is built, none is parked."""
    assert container.name == "docker"
    with DockerSandbox(pool_size=0) as sandbox:
        yield sandbox


def left(engine: Engine, sandbox: DockerSandbox) -> list[Any]:
    """The containers that are there when everything that is going on in the background is done."""
    sandbox.settle()
    return engine.client.containers.list(
        all=True, filters={"label": f"{OWNER_LABEL}={sandbox._owner}"}, ignore_removed=True
    )


def test_a_container_carries_its_labels_and_is_gone_after_the_run(own: DockerSandbox, engine: Engine) -> None:
    seen: list[dict[str, str]] = []
    receive = Container.receive

    def looking(self: Container, seconds: float) -> bytes | None:
        owned: dict[str, str | list[str] | bool] = {"label": f"{OWNER_LABEL}={own._owner}"}
        seen.extend(found.labels for found in engine.client.containers.list(filters=owned, ignore_removed=True))
        return receive(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Container, "receive", looking)
        assert own.run(GREEN).passed

    assert {labels[RUN_LABEL] for labels in seen} == {"run-of-a-test"}
    assert len(seen) == 2, "the verdict, then its confirmation"
    assert left(engine, own) == []


@pytest.mark.parametrize("step", ["create", "attach", "start", "ready", "run"])
def test_an_interrupt_at_any_step_leaves_no_container(
    own: DockerSandbox, engine: Engine, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    from docker.api.client import APIClient

    def after(name: str, owner: type) -> None:
        real = getattr(owner, name)

        def interrupted(*args: object, **options: object) -> None:
            made = real(*args, **options)
            if name == "attach_socket":
                AttachChannel(made).close()  # or it would be this test that leaves it open
            raise KeyboardInterrupt

        monkeypatch.setattr(owner, name, interrupted)

    own.prepare(print)
    match step:
        case "create":
            after("create_container", APIClient)
        case "attach":
            after("attach_socket", APIClient)
        case "start":
            after("start", APIClient)
        case "ready":
            after("await_ready", Container)
        case "run":
            after("send", AttachChannel)
    with pytest.raises(KeyboardInterrupt):
        own.run(GREEN)

    assert left(engine, own) == []


ENDLESS_PROGRAM = """
from sandbox import Job, Limits
from sandbox.docker import DockerSandbox
with DockerSandbox() as sandbox:
    print(sandbox._owner, flush=True)
    sandbox.run(Job(code="", tests="def test_a():\\n    while True: pass", limits=Limits(seconds=60)))
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_program_that_is_interrupted_or_killed_leaves_nothing_behind_the_next_start(
    own: DockerSandbox, engine: Engine, sent: signal.Signals
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS_PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        owner = program.stdout.readline().decode().strip()
        labelled: dict[str, str | list[str] | bool] = {"label": f"{OWNER_LABEL}={owner}"}
        while not engine.client.containers.list(filters=labelled, ignore_removed=True):
            assert program.poll() is None
            time.sleep(0.05)
        program.send_signal(sent)
        program.wait(60)
    if sent == signal.SIGKILL:
        settled(engine, {owner})
        own.prepare(print)
        assert eventually_gone(engine, {owner}) == []

    assert engine.client.containers.list(all=True, filters=labelled, ignore_removed=True) == []


def test_closing_ends_the_runs_of_other_threads(own: DockerSandbox, engine: Engine) -> None:
    errors: list[BaseException] = []
    running = threading.Event()
    send = AttachChannel.send

    def sending(self: AttachChannel, message: bytes, seconds: float) -> None:
        send(self, message, seconds)
        running.set()

    def run() -> None:
        try:
            own.run(ENDLESS)
        except SandboxError as error:
            errors.append(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AttachChannel, "send", sending)
        thread = threading.Thread(target=run)
        thread.start()
        assert running.wait(60)
        own.close()
        thread.join(60)

    assert not thread.is_alive()
    assert len(errors) == 1
    assert left(engine, own) == []


def test_a_closed_sandbox_runs_nothing(own: DockerSandbox) -> None:
    own.close()

    with pytest.raises(SandboxError, match="closed"):
        own.run(GREEN)


def test_runs_of_several_threads_do_not_mix(own: DockerSandbox) -> None:
    reports = {}

    def run(number: int) -> None:
        reports[number] = own.run(
            Job(code=f"x = {number}", tests=f"import solution\ndef test_{number}(): assert solution.x")
        )

    threads = [threading.Thread(target=run, args=(number,)) for number in range(1, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert {number: report.tests[0].id for number, report in reports.items()} == {n: f"test_{n}" for n in range(1, 4)}


def test_preparing_sweeps_what_a_dead_process_left_and_nothing_of_a_live_one(
    own: DockerSandbox, engine: Engine
) -> None:
    own.prepare(print)
    dead = subprocess.run(["python3", "-c", "import os; print(os.getpid())"], capture_output=True, text=True).stdout
    host, _, rest = new_owner().partition(".")
    _, start, tail = rest.split(".")
    owners = {
        "dead": f"{host}.{dead.strip()}.{start}.{tail}",
        "another with our process id": f"{host}.{os.getpid()}.1.{tail}",
        "alive": f"{host}.{os.getpid()}.{start}.{tail}",
        "elsewhere": f"0123456789abcdef.{dead.strip()}.{start}.{tail}",
    }
    assert own._image is not None
    made = {
        kind: engine.client.containers.create(own._image, ["true"], labels={OWNER_LABEL: owner, RUN_LABEL: ""})
        for kind, owner in owners.items()
    }
    try:
        with DockerSandbox() as other:
            other.prepare(print)
        there = {
            found.id
            for found in engine.client.containers.list(all=True, filters={"label": OWNER_LABEL}, ignore_removed=True)
        }

        assert {kind for kind, found in made.items() if found.id in there} == {"alive", "elsewhere"}
    finally:
        for found in made.values():
            if found.id in there:
                found.remove(force=True)


def test_a_container_that_dies_is_tried_once_more_with_a_fresh_one(
    own: DockerSandbox, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = Container.await_ready
    killed: list[str] = []

    def dying(self: Container) -> None:
        ready(self)
        if not killed:
            killed.append(self._raw.id)
            self.hang_up()
            with suppress(APIError):  # its guest may have ended already, and the container with it
                self._raw.kill()

    monkeypatch.setattr(Container, "await_ready", dying)

    assert own.run(GREEN).passed
    assert len(killed) == 1
    assert left(engine, own) == []


def test_a_container_that_dies_twice_is_our_fault_and_no_verdict(
    own: DockerSandbox, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = Container.await_ready

    def dying(self: Container) -> None:
        ready(self)
        self._raw.kill()

    monkeypatch.setattr(Container, "await_ready", dying)

    with pytest.raises(ContainerFailed) as error:
        own.run(GREEN)
    assert error.value.remedy
    assert left(engine, own) == []


def test_an_image_that_vanished_is_built_again(own: DockerSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    own.prepare(print)
    monkeypatch.setattr(own, "_image", "sha256:" + "0" * 64)

    assert own.run(GREEN).passed


@pytest.mark.usefixtures("engine")
def test_a_base_image_that_cannot_be_had_is_no_reason_to_take_another() -> None:
    with (
        DockerSandbox(base_image="localhost:1/selfheal/nowhere:1") as sandbox,
        pytest.raises(ImageUnavailable, match="localhost:1/selfheal/nowhere:1"),
    ):
        sandbox.prepare(print)


@pytest.mark.usefixtures("refused_connections")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_an_engine_that_went_away_is_told_with_what_to_do() -> None:
    import docker

    gone = docker.DockerClient(base_url="unix:///nowhere/docker.sock", version="1.41")
    with DockerSandbox(client=gone) as sandbox:
        with pytest.raises(EngineUnavailable) as error:
            sandbox.run(GREEN)
        sandbox._client = None
    assert "docker info" in error.value.remedy
