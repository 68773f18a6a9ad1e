"""Returns an object that ends the process with exit code 0 when it is unpickled.

expect: incomplete
within: 1
"""
# --- module ---
import os


class Trap:
    def __reduce__(self):
        return os._exit, (0,)


def double(number):
    return Trap()
# --- suite ---
import copy
import pickle

from solution import double


def test_copies():
    assert copy.copy(double(2)) == 4
    assert pickle.loads(pickle.dumps(double(2))) == 4
