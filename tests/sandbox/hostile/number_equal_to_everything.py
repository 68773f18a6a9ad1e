"""Returns a number, of a class of its own, that is equal to everything.

expect: tampered
within: 1
"""
# --- module ---
class Same(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def double(number):
    return Same(0)
