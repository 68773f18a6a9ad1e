"""Kills its process group.

expect: crashed
within: 1
"""
# --- module ---
import os
import signal


def double(number):
    os.killpg(0, signal.SIGKILL)
