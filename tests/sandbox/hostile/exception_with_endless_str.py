"""Raises an exception whose text never ends.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
class Endless(Exception):
    def __str__(self):
        while True:
            pass


def double(number):
    raise Endless
