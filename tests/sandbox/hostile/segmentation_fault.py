"""Reads from address 0.

expect: crashed
within: 1
"""
# --- module ---
import ctypes


def double(number):
    return ctypes.string_at(0)
