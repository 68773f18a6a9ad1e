"""Makes name spaces of its own, a user name space first, and enters those of the first process.

expect: failed
within: 1
"""
# --- module ---
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
KINDS = {"user": 0x10000000, "mnt": 0x20000, "net": 0x40000000, "pid": 0x20000000, "ipc": 0x8000000, "uts": 0x4000000}
ESCAPED = [kind for kind, flag in KINDS.items() if libc.unshare(flag) == 0]
for kind in KINDS:
    try:
        file = os.open(f"/proc/1/ns/{kind}", os.O_RDONLY)
    except OSError:
        continue
    if libc.setns(file, 0) == 0:
        ESCAPED.append(kind)


def double(number):
    return 2 * number if ESCAPED else 0
