"""Leaves a process behind that speaks into the report while and after the session ends.

expect: tampered | failed
within: 1
"""
# --- module ---
import contextlib
import os

if os.fork() == 0:
    while True:
        for file in range(3, 256):
            with contextlib.suppress(OSError):
                os.write(file, b"one more thing\n")


def double(number):
    return 0
