"""Puts /dev/null in the place of every descriptor.

expect: incomplete
within: 1
"""
# --- module ---
import os


def double(number):
    nothing = os.open("/dev/null", os.O_RDWR)
    for file in range(256):
        if file != nothing:
            os.dup2(nothing, file)
    return 0
