"""Closes every descriptor.

expect: incomplete
within: 1
"""
# --- module ---
import os


def double(number):
    os.closerange(0, 256)
