"""Returns an object whose repr raises KeyboardInterrupt while pytest explains the failure.

expect: incomplete | failed | crashed
within: 1
"""
# --- module ---
class Interrupting:
    def __repr__(self):
        raise KeyboardInterrupt


def double(number):
    return Interrupting()
