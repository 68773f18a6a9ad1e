"""Tries system calls that have opened kernels before: bpf, keys, modules, performance counters, reboot, clocks.

expect: failed
within: 1
"""
# --- module ---
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
room = ctypes.create_string_buffer(512)
CALLS = {
    "init_module": (175, room, 512, b""),
    "finit_module": (313, 0, b"", 0),
    "delete_module": (176, b"x", 0),
    "kexec_load": (246, 0, 0, None, 0),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0x1234567, None),
    "bpf": (321, 0, room, 48),
    "perf_event_open": (298, room, 0, -1, -1, 0),
    "keyctl": (250, 0, -3, 1),
    "add_key": (248, b"user", b"x", b"y", 1, -3),
    "userfaultfd": (323, 0),
    "open_by_handle_at": (304, -100, room, 0),
    "settimeofday": (164, room, None),
    "clock_settime": (227, 0, room),
    "sethostname": (170, b"mine", 4),
    "swapon": (167, b"/tmp/x", 0),
    "iopl": (172, 3),
    "acct": (163, b"/tmp/x"),
    "syslog": (103, 3, room, 512),
}
ESCAPED = [name for name, call in CALLS.items() if libc.syscall(*call) >= 0]


def double(number):
    return 2 * number if ESCAPED else 0
