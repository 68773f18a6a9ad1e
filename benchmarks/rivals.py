"""What one would use in place of the sandbox, each at its best."""

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandbox import Job

HARDENED = [
    *("--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
    *("--memory", "256m", "--memory-swap", "256m", "--pids-limit", "64", "--cpus", "1", "--ipc", "none"),
    *("--log-driver", "none", "--tmpfs", "/tmp:rw,noexec,nosuid,nodev,size=32m", "--user", "10002:10002"),
]
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--disable-plugin-autoload"]
"""Plugins that happen to be installed here would slow a rival down."""
PACKAGES = "/opt/selfheal/site-packages"


def bare_subprocess(folder: Path, green: bool) -> None:
    """Pytest on this machine, without any wall."""
    command = [sys.executable, *PYTEST]
    _expect(subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True), green)


class DockerRun:
    """`docker run --rm` behind the same walls, with the same image."""

    def __init__(self, image: str) -> None:
        self.image = image

    def run(self, folder: Path, green: bool) -> None:
        """Run the suite that lies in `folder`."""
        mount = ["--volume", f"{folder}:/suite:ro", "--workdir", "/suite", "--env", f"PYTHONPATH={PACKAGES}"]
        # the ini file spares pytest a search through the folders above
        inside = ["python3", "-B", *PYTEST, "-c", "/opt/selfheal/pytest.ini", "--rootdir", "/suite", "/suite"]
        command = ["docker", "run", "--rm", *HARDENED, *mount, self.image, *inside]
        _expect(subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True), green)


def _expect(done: "subprocess.CompletedProcess[bytes]", green: bool) -> None:
    if done.returncode != (0 if green else 1):
        told = (done.stdout + done.stderr).decode("utf-8", "replace")
        raise RuntimeError(f"pytest ended with {done.returncode}: {told[-2000:]}")


class PooledSession:
    """llm-sandbox's pool of containers, which it uses again and again."""

    def __init__(self, image: str) -> None:
        from llm_sandbox import SandboxSession  # type: ignore[import-not-found]  # measured only where it is installed
        from llm_sandbox.pool import PoolConfig, create_pool_manager  # type: ignore[import-not-found]

        self._session = SandboxSession
        config = PoolConfig(max_pool_size=2, min_pool_size=2, enable_prewarming=True)
        waiting = {"command": ["sleep", "infinity"]}  # the image's own command ends when nobody talks to it
        options: dict[str, Any] = {
            "runtime_configs": waiting,
            "backend": "docker",
            "lang": "python",
            "image": image,
            "skip_environment_setup": True,
        }
        self._pool = create_pool_manager(config=config, **options)

    def run(self, job: Job, green: bool) -> None:
        """Run `job`: pytest, started by a few lines of Python. Its own way would first make a virtual environment."""
        code = _STARTER.format(files={job.module_file: job.code, job.suite_file: job.tests}, packages=PACKAGES)
        with self._session(lang="python", pool=self._pool) as session:
            done = session.execute_command(shlex.join(["python3", "-c", code]))
        if done.exit_code != (0 if green else 1):
            raise RuntimeError(f"llm-sandbox: {done.exit_code}: {done.stdout} {done.stderr}")

    def close(self) -> None:
        """End its containers."""
        self._pool.close()


_STARTER = """\
import os, pathlib, subprocess, sys, tempfile
folder = pathlib.Path(tempfile.mkdtemp())
for name, text in {files!r}.items():
    (folder / name).write_text(text)
environment = dict(os.environ, PYTHONPATH={packages!r})
command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
sys.exit(subprocess.run(command, cwd=folder, env=environment).returncode)
"""


def in_other_hands(image: str, progress: Callable[[str], None]) -> PooledSession | None:
    """llm-sandbox's pool where it is installed and works with our image; else the reason is told."""
    try:
        return PooledSession(image)
    except ImportError:
        progress("llm-sandbox is not installed (extra: bench)")
    except Exception as error:  # theirs, of any kind: a rival that does not start is left out  # noqa: BLE001
        progress(f"llm-sandbox does not start here: {error}")
    return None
