"""Keeps the worker's memory beyond its end, so that its end takes no time. Part of the worker.

A process is over, and its exit status known, only when the kernel has given back all of its memory: some milliseconds
for a session of pytest, a fifth of a small suite's whole run. Where another process shares that memory, it is given
back when that one ends, which is when the container does and nobody waits any more.
"""

import ctypes
import mmap
import signal

CLONE_VM = 0x100
STACK_BYTES = 64 * 1024


def keep_memory() -> None:
    """Start a process that shares this one's memory and sleeps until it is killed. No harm is done where it fails.

    It takes no signal, which it could handle only in the memory that it shares, and is nobody's child to wait for.
    """
    libc = ctypes.CDLL(None)
    stack = mmap.mmap(-1, STACK_BYTES)
    top = ctypes.addressof(ctypes.c_char.from_buffer(stack)) + STACK_BYTES
    KEPT.append(stack)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        libc.clone(libc.pause, ctypes.c_void_p(top), CLONE_VM, None)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


KEPT: list[mmap.mmap] = []
"""The stack of that process."""
