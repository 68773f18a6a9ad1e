"""Leaves dead children uncollected until no process number is left.

expect: incomplete
within: 1
"""
# --- module ---
import os


def double(number):
    while True:
        if os.fork() == 0:
            os._exit(0)
