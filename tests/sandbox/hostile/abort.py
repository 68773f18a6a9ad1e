"""Calls abort.

expect: crashed
within: 1
"""
# --- module ---
import os


def double(number):
    os.abort()
