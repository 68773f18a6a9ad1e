"""Programs that are killed at any moment leave nothing behind the next start, and live ones lose nothing by it."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from docker.errors import APIError

from sandbox import Job, Limits, Sandbox, TestReport
from sandbox.docker import DockerSandbox
from sandbox.owner import OWNER_LABEL
from sandbox.prereqs import Engine

pytestmark = pytest.mark.docker
KILLS = 200
AT_ONCE = 4
PATIENCE = 120.0
"""Seconds that a busy engine may take to end what was asked of it. A check for hangs, not for speed."""

KILLER = """
import os, random, select, signal, sys, threading, time
import docker, docker.api  # so that the children need not load them
from sandbox import Job, Limits
from sandbox.docker import DockerSandbox

JOB = Job(code="x = 1", tests="import solution\\ndef test_a(): assert solution.x", limits=Limits(seconds=30))

def work(sandbox, told):
    while True:
        sandbox.run(JOB)
        os.write(told, b".")

def child(told):
    sandbox = DockerSandbox(pool_size=1)
    os.write(1, f"{sandbox._owner}\\n".encode())
    sandbox.prepare(lambda _: None)
    for _ in range(2):
        threading.Thread(target=work, args=(sandbox, told)).start()
    time.sleep(3600)

chance = random.Random(int(sys.argv[2]))
for number in range(int(sys.argv[1])):
    verdicts, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            child(told)
        finally:
            os._exit(1)
    if number % 8 == 0:
        select.select([verdicts], [], [], 60)
    time.sleep(chance.uniform(0.05, 0.5) if number % 8 else chance.uniform(0, 0.3))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(verdicts)
    os.close(told)
"""
"""Starts a program that asks for verdicts in two threads, kills it, and starts the next, as often as it is told. One in
eight is killed amid its verdicts; on a busy machine most others are still preparing."""

WAITS = """
import os, time
def test_a():
    while not os.path.exists("/tmp/go"): time.sleep(0.05)
"""


class Bystander:
    """A program that lives through all of it, with a run that goes on until it is told to end."""

    def __init__(self, engine: Engine, sandbox: DockerSandbox) -> None:
        self.engine = engine
        self.sandbox = sandbox
        self.report: TestReport | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        self.report = self.sandbox.run(Job(code="", tests=WAITS, limits=Limits(seconds=1200)))

    def containers(self) -> set[str]:
        """Ids of its containers that run."""
        found = self.engine.client.api.containers(filters={"label": f"{OWNER_LABEL}={self.sandbox._owner}"})
        return {one["Id"] for one in found}

    def tell_to_end(self) -> None:
        """Told again until it has ended: its confirmation may come in a container that is not there yet."""
        for _ in range(int(PATIENCE)):
            for identity in self.containers():
                with suppress(APIError):  # it has just ended
                    self.engine.client.containers.get(identity).exec_run(["touch", "/tmp/go"])
            self.thread.join(1)
            if not self.thread.is_alive():
                return


def left_of(engine: Engine, owners: set[str]) -> list[str]:
    """Containers of `owners`, in whatever state."""
    found = engine.client.api.containers(all=True, filters={"label": OWNER_LABEL})
    return [one["Id"] for one in found if one["Labels"][OWNER_LABEL] in owners]


def settled(engine: Engine, owners: set[str]) -> None:
    """Wait until requests of the dead that were under way have come to an end."""
    for _ in range(int(PATIENCE)):
        before = left_of(engine, owners)
        time.sleep(1)
        if left_of(engine, owners) == before:
            return
    pytest.fail("the engine does not come to rest")


def eventually_gone(engine: Engine, owners: set[str]) -> list[str]:
    """What is left of `owners` when removals that were under way have come to an end."""
    for _ in range(int(PATIENCE * 5)):
        if not left_of(engine, owners):
            return []
        time.sleep(0.2)
    return left_of(engine, owners)


def killed(folder: Path) -> set[str]:
    """The owners whose programs were killed; every one of them had `folder` for its temporary files."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    command = [sys.executable, "-c", KILLER, str(KILLS // AT_ONCE)]
    killers = [
        subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE, env=environment) for seed in range(AT_ONCE)
    ]
    told = [killer.communicate()[0] for killer in killers]
    assert [killer.returncode for killer in killers] == [0] * AT_ONCE
    return set(b"".join(told).decode().split())


def test_programs_killed_at_random_moments_under_load_leave_nothing_and_harm_nobody(
    container: Sandbox, engine: Engine, tmp_path: Path
) -> None:
    assert container.name == "docker"
    volumes = {volume.id for volume in engine.client.volumes.list()}
    with DockerSandbox() as alive:
        bystander = Bystander(engine, alive)
        bystander.thread.start()
        while not (at_first := bystander.containers()):
            time.sleep(0.1)
        owners = killed(tmp_path)
        assert len(owners) > KILLS / 2, "most were killed after they had begun"

        settled(engine, owners)
        with DockerSandbox() as sweeping:
            sweeping.prepare(print)
            assert eventually_gone(engine, owners) == []
        assert list(tmp_path.iterdir()) == [], "temporary folders and sockets"
        assert {volume.id for volume in engine.client.volumes.list()} <= volumes

        assert at_first <= bystander.containers()
        bystander.tell_to_end()
        assert bystander.report is not None
        assert bystander.report.passed, bystander.report
