"""Mounts, changes its root and makes devices.

expect: failed
within: 1
"""
# --- module ---
import ctypes
import os
import stat

libc = ctypes.CDLL(None, use_errno=True)
REMOUNT, BIND, DETACH = 32, 4096, 2
ESCAPED = [
    libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0,
    libc.mount(b"none", b"/", None, REMOUNT, None) == 0,
    libc.mount(b"/proc", b"/tmp", None, BIND, None) == 0,
    libc.umount2(b"/job", DETACH) == 0,
    libc.pivot_root(b"/tmp", b"/tmp") == 0 if hasattr(libc, "pivot_root") else False,
]
for attempt in (
    lambda: os.chroot("/tmp"),
    lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0)),
    lambda: os.mknod("/tmp/memory", stat.S_IFCHR | 0o666, os.makedev(1, 1)),
):
    try:
        attempt()
        ESCAPED.append(True)
    except OSError:
        pass


def double(number):
    return 2 * number if any(ESCAPED) else 0
