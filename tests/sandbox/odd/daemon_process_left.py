"""Leaves a process behind that detached itself twice and holds every descriptor open.

expect: passed
within: 1
"""
# --- module ---
import os
import time


def double(number):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)
    os.wait()
    return 2 * number
