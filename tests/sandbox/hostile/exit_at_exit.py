"""Registers an exit handler that turns a red exit code into 0.

expect: failed
within: 1
"""
# --- module ---
import atexit
import os

atexit.register(os._exit, 0)


def double(number):
    return 0
