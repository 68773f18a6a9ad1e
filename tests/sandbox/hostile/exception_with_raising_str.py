"""Raises an exception whose text cannot be made.

expect: failed
within: 1
"""
# --- module ---
class Unspeakable(Exception):
    def __str__(self):
        raise ValueError("no text")

    __repr__ = __str__


def double(number):
    raise Unspeakable
