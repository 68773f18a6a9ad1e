"""Lets a child that left the process group print without end while the session goes on.

expect: output_flood
within: 1
"""
# --- module ---
import os
import time


def double(number):
    if os.fork() == 0:
        os.setsid()
        while True:
            os.write(1, b"x" * 4096)
    time.sleep(3600)
