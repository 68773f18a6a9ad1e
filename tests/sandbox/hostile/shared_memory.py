"""Fills shared memory of every kind.

expect: failed | disk_full | out_of_memory
within: 1
"""
# --- module ---
import contextlib
import ctypes
import mmap

libc = ctypes.CDLL(None, use_errno=True)
for key in range(100):
    segment = libc.shmget(key, 1 << 20, 0o1666)
    if segment >= 0:
        libc.shmat(segment, None, 0)
with contextlib.suppress(OSError), open("/dev/shm/full", "wb") as file:
    while True:
        file.write(bytes(65536))
anonymous = mmap.mmap(-1, 32 << 20)


def double(number):
    return 0
