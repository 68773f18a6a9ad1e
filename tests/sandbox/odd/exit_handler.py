"""Registers an exit handler of the harmless kind.

expect: passed
within: 1
"""
# --- module ---
import atexit

atexit.register(print, "good bye")


def double(number):
    return 2 * number
