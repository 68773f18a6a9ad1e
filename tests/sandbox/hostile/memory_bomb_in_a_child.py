"""Takes all memory in a child, so that the kernel ends the child and not the session.

expect: out_of_memory
within: 1
"""
# --- module ---
import os


def double(number):
    if os.fork() == 0:
        hoard = []
        while True:
            hoard.append(bytearray(10_000_000))
    os.wait()
    return 0
