"""Gives itself capabilities, drops the ban on new privileges and asks to be dumped.

expect: failed
within: 1
"""
# --- module ---
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
AMBIENT, NO_NEW_PRIVILEGES, SECCOMP = 47, 38, 22
ESCAPED = not all(
    [
        libc.capset(header, everything),
        *(libc.prctl(AMBIENT, 2, capability, 0, 0) for capability in range(41)),
        libc.prctl(NO_NEW_PRIVILEGES, 0, 0, 0, 0),
        libc.prctl(SECCOMP, 0, 0, 0, 0),
    ]
)


def double(number):
    return 2 * number if ESCAPED else 0
