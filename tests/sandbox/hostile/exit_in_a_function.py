"""Ends the process with exit code 0 from within a test, after printing that all went well.

expect: incomplete
within: 1
"""
# --- module ---
import os


def double(number):
    os.write(1, b"2 passed in 0.01s\n")
    os._exit(0)
