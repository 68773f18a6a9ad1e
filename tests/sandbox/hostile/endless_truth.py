"""Returns an object whose truth value takes for ever.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
import time


class Undecided:
    def __eq__(self, other):
        return self

    def __bool__(self):
        time.sleep(3600)


def double(number):
    return Undecided()
