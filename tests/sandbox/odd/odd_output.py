"""Prints broken UTF-8, terminal codes and zero bytes, and passes.

expect: passed
within: 1
"""
# --- module ---
import os
import sys


def double(number):
    os.write(1, b"\xff\xfe\x00\x1b[2J\x1b]0;title\x07")
    print("\x00\x1b[31m\u202e\r", file=sys.stderr)
    return 2 * number
