"""Starts the worker under its own uid, with pipes, limits and an environment of its own. Part of the supervisor."""

import json
import os
import resource
import select
import signal
import sys
import time

WORKER_UID = 10002
MODULE_UID = 10003
FIRST_JOB_UID = 20000
PIPE_BYTES = 65536
SHARED_FOLDERS = ("/tmp", "/dev/shm")
"""All that a job can write to."""
OPEN_FILES = 256
STACK_BYTES = 8 * 1024 * 1024
MODULE_FOLDER = ".module"
"""Of the job's folder; where the module lies when it has a process of its own."""
ANSWER_SECONDS = 10
"""How long the fork server may take for what it does itself in a few milliseconds."""
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
    """The process that runs pytest, and our ends of its pipes.

    With `many` the process that is started here never runs a job. It is a fork server that keeps uid 0, SETUID and
    SETGID, and forks a child for each job, which becomes a uid that no other job has.
    """

    def __init__(self, job_dir: str, temporary: str, plain: bool, many: bool = False, split: bool = False) -> None:
        self.plain = plain
        self.module_folder = os.path.join(job_dir, MODULE_FOLDER) if split else job_dir
        self.wait_status: int | None = None
        self.report, report_end = os.pipe()
        self.output, output_end = os.pipe()
        control_end, self.control = os.pipe()
        ends = {"report": report_end, "control": control_end, "output": output_end}
        if many:
            ends["orders"], self.orders = os.pipe()
            self.answers, ends["answers"] = os.pipe()
        if split:
            ends["module"] = _start_module_host(output_end, job_dir, temporary)
        self.server = self.pid = os.fork()
        if self.pid == 0:
            try:
                _become_worker(ends, job_dir, temporary, plain)
            finally:
                os._exit(127)
        for end in ends.values():
            os.close(end)

    def await_parked(self) -> bool:
        """Wait until its session is parked: its first line, sent before any untrusted byte is there, names its process.

        False: it ended instead.
        """
        line = b""
        while not line.endswith(b"\n"):
            chunk = os.read(self.report, PIPE_BYTES)
            if not chunk:
                return False
            line += chunk
        self.pid = json.loads(line)["pid"]
        return True

    def await_serving(self) -> bool:
        """Wait until the fork server is there."""
        return self._answer(seconds=None) == b"serving\n"

    def next_job(self, number: int) -> bool:
        """Let the fork server make the child that will run job `number`; whether it is parked."""
        self.wait_status = None
        write_all(self.orders, b"fork %d\n" % (FIRST_JOB_UID + number))
        os.set_blocking(self.report, True)
        return _readable(self.report, ANSWER_SECONDS) and self.await_parked()

    def sweep(self, number: int) -> bool:
        """Let the fork server end every process of job `number` and remove its files; whether nothing is left.

        Where nothing is to be seen there is nothing to do: nobody is there who could make a process or a file.
        """
        if not self._others() and _empty():
            return self._drained()
        write_all(self.orders, b"sweep %d\n" % (FIRST_JOB_UID + number))
        if self._answer(ANSWER_SECONDS) != b"swept\n":
            return False
        deadline = time.monotonic() + ANSWER_SECONDS
        while self._others():  # killed, and not all gone yet
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)
        return _empty() and self._drained()

    def _drained(self) -> bool:
        for pipe in (self.report, self.output):  # nobody writes any more; a job may have made them larger
            while _readable(pipe, 0):
                os.read(pipe, PIPE_BYTES)
        return True

    def _others(self) -> bool:
        self.reap()
        return {int(name) for name in os.listdir("/proc") if name.isdigit()} != {1, self.server}

    def _answer(self, seconds: float | None) -> bytes:
        return os.read(self.answers, 100) if _readable(self.answers, seconds) else b""

    def release(self, order: dict[str, object]) -> None:
        """Let the parked session begin."""
        write_all(self.control, json.dumps(order).encode() + b"\n")

    def go_on(self) -> None:
        """Let it run the suite that it was told to compile first."""
        write_all(self.control, b"\n")

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


def _become_worker(ends: dict[str, int], job_dir: str, temporary: str, plain: bool) -> None:
    passed_on = [ends[name] for name in ("report", "control", "orders", "answers") if name in ends]
    more = [f"--module={ends['module']}"] if "module" in ends else []
    more += [] if plain or "orders" in ends else ["--keep"]
    _shut_in(ends["output"], [*passed_on, *([ends["module"]] if "module" in ends else [])], expendable=not plain)
    if not plain and "orders" not in ends:
        become(WORKER_UID)
    _execute("worker.py", [job_dir, *map(str, passed_on), *more], temporary)


def _start_module_host(output: int, job_dir: str, temporary: str) -> int:
    """Start the process that the module will live in, under a uid of its own; returns the worker's end of the line."""
    import socket  # takes time that other containers need not spend

    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            ours.close()
            _shut_in(output, [theirs.fileno()], expendable=True)
            become(MODULE_UID)
            folder = os.path.join(job_dir, MODULE_FOLDER)
            _execute(os.path.join("split", "modulehost.py"), [str(theirs.fileno()), folder], temporary)
        finally:
            os._exit(127)
    theirs.close()
    return ours.detach()


def _shut_in(output: int, passed_on: list[int], expendable: bool) -> None:
    """A session, descriptors and limits of its own. `expendable`: short of memory, the kernel ends it, not us."""
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    for end in passed_on:
        os.set_inheritable(end, True)
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_STACK, STACK_BYTES),
    ):
        resource.setrlimit(limit, (value, value))
    if expendable:
        with open("/proc/self/oom_score_adj", "w") as score:
            score.write("1000")


def _execute(script: str, arguments: list[str], temporary: str) -> None:
    environment = {**WORKER_ENVIRONMENT, "HOME": temporary, "TMPDIR": temporary}
    here = os.path.dirname(os.path.abspath(__file__))
    tables = os.path.join(here, "unicode-tables")  # where the image keeps them; nothing else is ever stored
    kept = tables if os.path.isdir(tables) else os.path.join(temporary, ".hypothesis")
    environment["HYPOTHESIS_STORAGE_DIRECTORY"] = kept
    path = os.path.join(here, script)
    # Not -I: it would ignore PYTHONHASHSEED. The environment is ours, so that nothing else comes in by it. Unbuffered:
    # what was printed is not lost with a process that ends at once.
    os.execve(sys.executable, [sys.executable, "-s", "-P", "-u", path, *arguments], environment)


def become(uid: int) -> None:
    """Give up every other identity, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def write_all(file: int, data: bytes) -> None:
    """Write `data` to the end; a pipe takes it in pieces."""
    while data:
        data = data[os.write(file, data) :]


def _empty() -> bool:
    return not any(os.listdir(folder) for folder in SHARED_FOLDERS)


def _readable(pipe: int, seconds: float | None) -> bool:
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    return bool(poller.poll(None if seconds is None else seconds * 1000))
