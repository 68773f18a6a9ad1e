"""What a run used and what it left running. Part of the supervisor; nothing that it reads is interpreted."""

import os
import resource
import time

TYPE_CHECKING = False  # for type checkers alone: importing typing would take longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Collection

MICROSECONDS, NANOSECONDS = 1e6, 1e9
CPU_COUNTERS = (
    ("/sys/fs/cgroup/cpu.stat", "usage_usec", MICROSECONDS),
    ("/sys/fs/cgroup/cpuacct/cpuacct.usage", "", NANOSECONDS),
    ("/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "", NANOSECONDS),
)
MEMORY_COUNTERS = (
    ("/sys/fs/cgroup/memory.peak", "", 1),
    ("/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "", 1),
)
NAMES_AT_MOST = 20
LOOK_AGAIN_SECONDS = (0.003, 0.01, 0.02)
"""A process that ends because the worker did (a resource tracker, say) needs an instant for it."""


class Tally:
    """Knows the processes that were there when it was made, and counts from the moment that a run begins.

    `group` is set where no container tells our processes from others.
    """

    def __init__(self, group: int | None) -> None:
        self.group = group
        self.before = set(_running(group))
        self.cpu = 0.0

    def begin(self) -> None:
        """The run begins."""
        self.cpu = _cpu_seconds(in_container=self.group is None)

    def measured(self) -> dict[str, object]:
        """CPU seconds, the highest memory use in bytes, the processes that still run: their number, some names."""
        left = self._left()
        contained = self.group is None
        peak = _counter(MEMORY_COUNTERS) if contained else None
        if peak is None:
            peak = float(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
        return {
            "cpu_seconds": round(max(0.0, _cpu_seconds(contained) - self.cpu), 4),
            "peak_memory_bytes": int(peak),
            "left_running": len(left),
            "left_names": [_name(pid) for pid in left[:NAMES_AT_MOST]],
        }

    def _left(self) -> list[int]:
        left: list[int] = []
        for pause in (0.0, *LOOK_AGAIN_SECONDS):
            time.sleep(pause)
            left = sorted(_running(self.group, self.before))
            if not left:
                break
        return left


def _running(group: int | None, known: "Collection[int]" = ()) -> list[int]:
    """Processes that are neither ours nor dead nor `known`; where `group` is given, of that process group alone."""
    if not os.path.isdir("/proc/self"):
        return []
    found = []
    for pid in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        if pid in known or pid == os.getpid():
            continue
        state, its_group = _state(pid)
        if state not in ("", "Z", "X") and group in (None, its_group):
            found.append(pid)
    return found


def _state(pid: int) -> tuple[str, int]:
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as stat:
            fields = stat.read().rpartition(")")[2].split()  # the name before it may hold any character
    except OSError:  # it ended meanwhile
        return "", 0
    return fields[0], int(fields[2])


def _name(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", errors="replace") as name:
            return name.read(64).rstrip("\n")
    except OSError:
        return ""


def _cpu_seconds(in_container: bool) -> float:
    counted = _counter(CPU_COUNTERS) if in_container else None
    if counted is not None:
        return counted
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def _counter(files: tuple[tuple[str, str, float], ...]) -> float | None:
    """The first of the counters that is there, in units of one."""
    for file, name, unit in files:
        try:
            with open(file) as lines:
                pairs = dict(line.rpartition(" ")[::2] for line in lines.read().splitlines())
        except OSError:  # another version of control groups
            continue
        if name in pairs:
            return int(pairs[name]) / unit
    return None
