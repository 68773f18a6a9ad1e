"""Looks for programs that run as root and runs each of them.

expect: failed
limits: seconds=60
within: 1
"""
# --- module ---
import contextlib
import os
import stat
import subprocess

ESCAPED = []
for folder in ("/bin", "/usr/bin", "/usr/sbin", "/usr/lib/openssh"):
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID):
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                ran = subprocess.run([path], input=b"id -u", capture_output=True, timeout=1, check=False)
                ESCAPED += [path] * (ran.stdout.strip() == b"0")
made = "/tmp/mine"
with open(made, "w") as file:
    file.write("#!/bin/sh\nid -u\n")
os.chmod(made, 0o6777)
try:
    ESCAPED.append(subprocess.run([made], capture_output=True, check=True))
except (OSError, subprocess.SubprocessError):
    pass


def double(number):
    return 2 * number if ESCAPED or os.geteuid() == 0 else 0
