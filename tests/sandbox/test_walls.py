"""What untrusted code sees from inside: each wall is tried from a test in a real container."""

from collections.abc import Callable

import pytest

from sandbox import TestReport

pytestmark = pytest.mark.docker
Run = Callable[..., TestReport]

REFUSED = {
    "the network": "socket.create_connection(('1.1.1.1', 53), timeout=2)",
    "name resolution": "socket.getaddrinfo('example.org', 80)",
    "writing to the root": "open('/opt/x', 'w')",
    "writing to the guest's code": "open('/opt/selfheal/worker.py', 'a')",
    "a new file beside the suite": "open('/job/conftest.py', 'w')",
    "rewriting the suite": "open('/job/test_solution.py', 'w')",
    "replacing the suite": "os.rename('/tmp/mine', '/job/test_solution.py')",
    "removing the suite": "os.unlink('/job/test_solution.py')",
    "opening the suite up": "os.chmod('/job/test_solution.py', 0o666)",
    "the supervisor's descriptors": "os.listdir('/proc/1/fd')",
    "the supervisor's output": "open('/proc/1/fd/1', 'w')",
    "the supervisor's memory": "open('/proc/1/mem', 'rb')",
    "the supervisor's environment": "open('/proc/1/environ', 'rb').read()",
    "signalling the supervisor": "os.kill(1, signal.SIGKILL)",
    "becoming root": "os.setuid(0)",
    "becoming the supervisor": "os.setuid(10001)",
    "a mount": "check(libc.mount(b'none', b'/mnt', b'tmpfs', 0, None))",
    "a name space": "check(libc.unshare(0x10000000))",
    "running a file of its own": "subprocess.run(['/tmp/mine'], check=True)",
    "raising its limits": "resource.setrlimit(resource.RLIMIT_NOFILE, (9999, 9999))",
    "control groups": "open(glob.glob('/sys/fs/cgroup/**/cgroup.procs', recursive=True)[0], 'w')",
}
ATTEMPTS = """
import ctypes, glob, os, pathlib, resource, signal, socket, subprocess
import pytest

libc = ctypes.CDLL(None, use_errno=True)
def check(result):
    if result:
        raise OSError(ctypes.get_errno(), "refused")

@pytest.fixture(autouse=True)
def mine():
    pathlib.Path("/tmp/mine").write_text("#!/bin/sh\\n")
    os.chmod("/tmp/mine", 0o777)

"""


def test_every_wall_refuses(run: Run) -> None:
    tests = [
        f"def test_{number}():\n    with pytest.raises((OSError, ValueError)):\n        {attempt}\n"
        for number, attempt in enumerate(REFUSED.values())
    ]
    report = run(ATTEMPTS + "\n".join(tests))

    open_walls = [wall for wall, test in zip(REFUSED, report.tests, strict=True) if test.outcome != "passed"]
    assert not open_walls, report.error_summary
    assert report.passed


def test_the_worker_is_an_unprivileged_user_without_capabilities(run: Run) -> None:
    report = run(
        """
import os
def test_a():
    status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
    assert status["CapEff"] == status["CapPrm"] == status["CapInh"] == status["CapAmb"] == "0" * 16
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert len({*os.getresuid(), *os.getresgid()}) == 1
    assert os.getuid() >= 10000
    assert os.getgroups() == []
"""
    )

    assert report.passed, report.error_summary


def test_nothing_of_the_host_is_inside(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret-of-the-host")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    report = run(
        """
import os, socket
def test_a():
    assert "secret-of-the-host" not in str(os.environ)
    assert not [name for name in os.environ if "KEY" in name or "DOCKER" in name or name == "PYTEST_ADDOPTS"]
    assert socket.gethostname() == "sandbox"
    assert not os.path.exists("/var/run/docker.sock")
"""
    )

    assert report.passed, report.error_summary


def test_other_files_of_the_job_cannot_be_smuggled_in(run: Run) -> None:
    report = run(
        """
import os, re
def test_a():
    compiled = {"__pycache__"}  # the suite, as the supervisor placed it
    ours, *files = sorted(set(os.listdir("/job")) - compiled, key=lambda n: not re.fullmatch("test_[0-9a-f]{12}.py", n))
    assert set(files) - {".module"} <= {"solution.py", "test_solution.py"}
    assert oct(os.stat("/job/" + ours).st_mode & 0o777) == "0o444"
    assert oct(os.stat("/job/test_solution.py").st_mode & 0o777) == "0o444"
"""
    )

    assert report.passed, report.error_summary
