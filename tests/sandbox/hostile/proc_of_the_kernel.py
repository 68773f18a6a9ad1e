"""Writes to the kernel's own switches below /proc and reads its secrets.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = []
WRITTEN = ("sysrq-trigger", "sys/kernel/core_pattern", "sys/kernel/modprobe", "sys/vm/drop_caches", "sys/fs/file-max")
for flags, names in ((os.O_WRONLY, WRITTEN), (os.O_RDONLY, ("kcore", "kmsg", "1/../kcore"))):
    for name in names:
        try:
            file = os.open(f"/proc/{name}", flags)
        except OSError:
            continue
        if flags == os.O_WRONLY or os.read(file, 1):
            ESCAPED.append(name)


def double(number):
    return 2 * number if ESCAPED else 0
