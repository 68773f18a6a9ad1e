"""Changes the constants of the test that calls it, while that test runs, and answers with the new ones.

expect: tampered
within: 1
"""
# --- module ---
import sys


class Same(int):
    __hash__ = int.__hash__

    def __eq__(self, other):
        return True


def double(number):
    caller = sys._getframe(1)
    for name, value in list(caller.f_globals.items()):
        if name.startswith("test_"):
            constants = tuple(Same(one) if type(one) is int else one for one in value.__code__.co_consts)
            value.__code__ = value.__code__.replace(co_consts=constants)
    return Same(0)
