"""Stops its own process.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
import os
import signal


def double(number):
    os.kill(os.getpid(), signal.SIGSTOP)
