"""Whose container is whose: a label by which the leftovers of dead processes are told from the work of live ones."""

import hashlib
import os
import platform
import subprocess
import uuid
from pathlib import Path

OWNER_LABEL = "selfheal.owner"
RUN_LABEL = "selfheal.run"


def new_owner() -> str:
    """A label value for this process: `<host>.<pid>.<start of the process>.<random>`."""
    pid = os.getpid()
    return f"{_host()}.{pid}.{_start(pid)}.{uuid.uuid4().hex[:12]}"


def is_dead(owner: str) -> bool:
    """Whether `owner` is certainly a process of this host that no longer lives. In doubt it is not."""
    host, _, rest = owner.partition(".")
    pid, _, rest = rest.partition(".")
    start, _, _ = rest.partition(".")
    if host != _host() or not pid.isdecimal() or not start or platform.system() == "Windows":
        return False
    return _start(int(pid)) != start


def _host() -> str:
    """Names this machine and, on Linux, the world of process ids that we live in: containers may share an engine."""
    known = [platform.node(), str(uuid.getnode())]
    for source in (Path("/etc/machine-id"), Path("/proc/sys/kernel/random/boot_id")):
        if source.is_file():
            known.append(source.read_text())
    if platform.system() == "Linux":
        known.append(str(Path("/proc/self/ns/pid").readlink()))
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]


def _start(pid: int) -> str:
    """When process `pid` started, in a form that can only be compared; `gone` when there is none."""
    if platform.system() == "Linux":
        try:
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            return "gone"
        return "gone" if fields[0] in "ZX" else fields[19]
    if platform.system() == "Windows":
        return "unknown"
    told = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True).stdout
    return "-".join(told.split()).replace(":", "-") or "gone"
