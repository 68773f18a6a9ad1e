"""Starts the worker under its own uid, with pipes, limits and an environment of its own. Part of the supervisor."""

import json
import os
import resource
import signal
import sys

WORKER_UID = 10002
PIPE_BYTES = 65536
OPEN_FILES = 256
STACK_BYTES = 8 * 1024 * 1024
WORKER_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "worker",
    "LOGNAME": "worker",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # One of the marks by which hypothesis knows an automatic build: no database, no deadlines, the same examples each
    # time. It is not one by which pytest knows it, which would print comparisons in full.
    "TF_BUILD": "true",
}


class Worker:
    """The process that runs pytest, and our ends of its pipes."""

    def __init__(self, job_dir: str, temporary: str, plain: bool) -> None:
        self.plain = plain
        self.wait_status: int | None = None
        self.report, report_end = os.pipe()
        self.output, output_end = os.pipe()
        control_end, self.control = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _become_worker(report_end, control_end, output_end, job_dir, temporary, plain)
            finally:
                os._exit(127)
        for end in (report_end, control_end, output_end):
            os.close(end)

    def await_parked(self) -> bool:
        """Wait for the worker's first line, sent before any untrusted byte is there. False: it ended instead."""
        line = b""
        while not line.endswith(b"\n"):
            chunk = os.read(self.report, PIPE_BYTES)
            if not chunk:
                return False
            line += chunk
        return True

    def release(self, order: dict[str, object]) -> None:
        """Let the parked session begin."""
        write_all(self.control, json.dumps(order).encode() + b"\n")
        os.close(self.control)

    def reap(self) -> bool:
        """Collect every process that ended; whether the worker is one of them."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid == self.pid:
                self.wait_status = status
        return self.wait_status is not None

    def kill_group(self) -> None:
        """End what is left of it. Inside a container the kernel does that when we exit."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:  # nobody left
            return


def _become_worker(report: int, control: int, output: int, job_dir: str, temporary: str, plain: bool) -> None:
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.set_inheritable(report, True)
    os.set_inheritable(control, True)
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_STACK, STACK_BYTES),
    ):
        resource.setrlimit(limit, (value, value))
    if not plain:
        with open("/proc/self/oom_score_adj", "w") as score:  # short of memory, the kernel ends the worker, not us
            score.write("1000")
        become(WORKER_UID)
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")
    environment = {**WORKER_ENVIRONMENT, "HOME": temporary, "TMPDIR": temporary}
    environment["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.join(temporary, ".hypothesis")
    command = [sys.executable, "-I", script, str(report), str(control), job_dir]
    os.execve(sys.executable, command, environment)


def become(uid: int) -> None:
    """Give up every other identity, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def write_all(file: int, data: bytes) -> None:
    """Write `data` to the end; a pipe takes it in pieces."""
    while data:
        data = data[os.write(file, data) :]
