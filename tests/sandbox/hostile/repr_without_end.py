"""Returns an object whose repr recurses for ever.

expect: failed
within: 1
"""
# --- module ---
class Mirror:
    def __repr__(self):
        return repr([self])


def double(number):
    return Mirror()
