"""Follows the worker until it ends or crosses a limit. Part of the supervisor; nothing that it reads is interpreted."""

import os
import select
import signal
import time
from collections.abc import Callable

TYPE_CHECKING = False  # for type checkers alone: importing typing would take longer than all the rest
if TYPE_CHECKING:
    from sandbox.guest.launch import PIPE_BYTES, Worker
else:
    from launch import PIPE_BYTES, Worker

TICK_SECONDS = 0.1
REPORT_CAP = 4 * 1024 * 1024
KEPT_OUTPUT = 32 * 1024  # at the start, and as much at the end
OOM_COUNTERS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
PIDS_COUNTERS = ("/sys/fs/cgroup/pids.events", "/sys/fs/cgroup/pids/pids.events")


class Kept:
    """Bytes of which only the first and the last are kept."""

    def __init__(self, head: int, tail: int) -> None:
        self.head, self.tail = bytearray(), bytearray()
        self.head_room, self.tail_room = head, tail
        self.total = 0

    def add(self, chunk: bytes) -> None:
        """Take `chunk` in."""
        self.total += len(chunk)
        room = self.head_room - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        del self.tail[: max(0, len(self.tail) - self.tail_room)]


class Watch:
    """Follows one worker, from before it is released."""

    def __init__(self, worker: Worker, disks: list[str]) -> None:
        self.worker = worker
        self.deadline = 0.0
        self.output_bytes = 0
        self.disks = disks
        self.report = Kept(REPORT_CAP, 0)
        self.output = Kept(KEPT_OUTPUT, KEPT_OUTPUT)
        self.before_go_on: Callable[[bytes], None] | None = None
        """Is handed the first line of the report, on which the worker then waits."""
        self.counted = {"oom_kill": _counter(OOM_COUNTERS, "oom_kill"), "max": _counter(PIDS_COUNTERS, "max")}
        self.open_pipes = {worker.report: self.report, worker.output: self.output}
        self.poller = select.poll()
        for pipe in self.open_pipes:
            os.set_blocking(pipe, False)
            self.poller.register(pipe, select.POLLIN)
        self._wake_on_ended_child()

    def limit(self, seconds: float, output_bytes: int) -> None:
        """What the run that now begins may use."""
        self.deadline = time.monotonic() + seconds
        self.output_bytes = output_bytes

    def _wake_on_ended_child(self) -> None:
        self.wake, self.woken = os.pipe()
        for end in (self.wake, self.woken):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.woken)
        self.poller.register(self.wake, select.POLLIN)

    def close(self) -> None:
        """Give back what was opened; the pipes are the worker's."""
        signal.set_wakeup_fd(-1)
        os.close(self.wake)
        os.close(self.woken)

    def until_end(self) -> str:
        """What ended the run: `exit`, or the limit that it crossed."""
        next_look = 0.0
        while True:
            ready = self.poller.poll(TICK_SECONDS * 1000)
            self._drain([pipe for pipe, _ in ready])
            self._hand_over_first_line()
            now = time.monotonic()
            crossed = self._flooded()
            if not crossed and now >= next_look:
                crossed = self._exhausted()
                next_look = now + TICK_SECONDS
            if crossed:
                return crossed
            if self.worker.reap():
                self._drain(list(self.open_pipes))  # one read takes all that a pipe can hold
                return self._flooded() or self._exhausted() or "exit"
            if now >= self.deadline:
                return "timeout"

    def _drain(self, pipes: list[int]) -> None:
        for pipe in pipes:
            try:
                chunk = os.read(pipe, PIPE_BYTES)
            except BlockingIOError:
                continue
            if chunk and pipe in self.open_pipes:
                self.open_pipes[pipe].add(chunk)
            elif not chunk:
                self.poller.unregister(pipe)
                del self.open_pipes[pipe]

    def _hand_over_first_line(self) -> None:
        if self.before_go_on is not None and b"\n" in self.report.head:
            line, _, self.report.head = self.report.head.partition(b"\n")
            self.report.total = len(self.report.head)
            take, self.before_go_on = self.before_go_on, None
            take(bytes(line))

    def _flooded(self) -> str:
        if self.report.total > REPORT_CAP:
            return "report"
        return "output" if self.output.total > self.output_bytes else ""

    def _exhausted(self) -> str:
        if self.worker.plain:
            return ""
        if _counter(PIDS_COUNTERS, "max") > self.counted["max"]:
            return "processes"
        if _counter(OOM_COUNTERS, "oom_kill") > self.counted["oom_kill"]:
            return "memory"
        full = any(os.statvfs(disk).f_bavail == 0 for disk in self.disks)
        return "disk" if full else ""


def _counter(files: tuple[str, ...], name: str) -> int:
    for file in files:
        try:
            with open(file) as lines:
                pairs = dict(line.split() for line in lines)
        except OSError:  # the other version of control groups
            continue
        return int(pairs.get(name, 0))
    return 0
