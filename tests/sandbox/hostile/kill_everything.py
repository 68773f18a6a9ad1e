"""Kills every process that it may signal.

expect: failed
within: 1
"""
# --- module ---
import contextlib
import os
import signal


def double(number):
    with contextlib.suppress(OSError):
        os.kill(-1, signal.SIGKILL)
    return 0
