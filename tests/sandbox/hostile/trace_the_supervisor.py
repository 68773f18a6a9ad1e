"""Attaches to the first process as a debugger, by three ways.

expect: failed
within: 1
"""
# --- module ---
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
ATTACH, SEIZE = 16, 0x4206
ESCAPED = not all(
    [
        libc.ptrace(ATTACH, 1, None, None),
        libc.ptrace(SEIZE, 1, None, None),
        libc.process_vm_readv(1, None, 0, None, 0, 0) < 0 or not libc.kcmp(1, 1, 0, 0, 0)
        if hasattr(libc, "kcmp")
        else True,
    ]
)


def double(number):
    return 2 * number if ESCAPED else 0
