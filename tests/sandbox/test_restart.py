"""An engine that is restarted in the middle of a batch is survived. Tried with a second engine of the test's own."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox import Job, Sandbox, SandboxError, TestReport
from sandbox.base_image import DEBIAN_BASE, DEFAULT_BASE, find_base
from sandbox.context import image_name
from sandbox.docker import DockerSandbox
from sandbox.prereqs import Engine

if TYPE_CHECKING:
    import docker

pytestmark = [
    pytest.mark.docker,
    pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can start an engine of its own"),
    pytest.mark.skipif(shutil.which("dockerd") is None, reason="dockerd is not installed"),
]
PATIENCE = 120.0
"""Seconds that a busy machine may take to start an engine. A check for hangs, not for speed."""
JOBS = 12
GREEN = Job(code="x = 1", tests="import solution\ndef test_a(): assert solution.x")


class OwnEngine:
    """A second engine: its own folders, socket and containers; the one of the machine is never touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = f"unix://{folder}/engine.sock"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        folders = [f"--data-root={self.folder}/data", f"--exec-root={self.folder}/exec"]
        quiet = ["--iptables=false", "--ip6tables=false", "--ip-masq=false", "--shutdown-timeout=1"]
        command = ["dockerd", *folders, f"--host={self.address}", f"--pidfile={self.folder}/pid", *quiet]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        for _ in range(int(PATIENCE * 10)):
            if self.process.poll() is None and _listens(self.folder / "engine.sock"):
                client = self.client()
                assert client.ping()
                client.close()
                return
            time.sleep(0.1)
        raise AssertionError(f"the engine did not start: {(self.folder / 'log').read_text()[-2000:]}")

    def stop(self) -> None:
        """End it as the service manager does: it ends its containers first."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)
            self.process = None

    def client(self) -> "docker.DockerClient":
        import docker

        return docker.DockerClient(base_url=self.address, version="1.41", timeout=60)


def _listens(address: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as knocking:
        return knocking.connect_ex(str(address)) == 0


def _copy_images(source: "docker.DockerClient", target: "docker.DockerClient") -> None:
    base = find_base(source, DEFAULT_BASE)
    assert base is not None
    base_name = next(tag for tag in (DEFAULT_BASE, DEBIAN_BASE) if tag in source.images.get(base).tags)
    for name in (base_name, image_name(base)):
        target.images.load(b"".join(source.images.get(name).save(named=name)))


@pytest.fixture
def own_engine(container: Sandbox, engine: Engine) -> Iterator[OwnEngine]:
    """A running second engine that has the images."""
    assert container.name == "docker"
    folder = Path(tempfile.mkdtemp(prefix="own-engine-"))  # a short path: those of sockets are bounded
    own = OwnEngine(folder)
    try:
        own.start()
        client = own.client()
        _copy_images(engine.client, client)
        client.close()
        yield own
    finally:
        own.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.usefixtures("refused_connections")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_batch_goes_on_when_the_engine_is_restarted_in_its_middle(own_engine: OwnEngine) -> None:
    reports: list[TestReport] = []
    errors: list[SandboxError] = []
    left = iter(range(JOBS))

    def work(sandbox: DockerSandbox) -> None:
        for _ in left:
            try:
                reports.append(sandbox.run(GREEN))
            except SandboxError as error:
                errors.append(error)

    with DockerSandbox(client=own_engine.client()) as sandbox:
        sandbox.prepare(print)
        workers = [threading.Thread(target=work, args=(sandbox,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        while len(reports) < JOBS // 3 and not errors:
            time.sleep(0.05)
        own_engine.stop()
        own_engine.start()
        for worker in workers:
            worker.join(PATIENCE)

        assert errors == []
        assert [report.status for report in reports] == ["passed"] * JOBS
    client = own_engine.client()
    assert client.containers.list(all=True, ignore_removed=True) == []
    client.close()
