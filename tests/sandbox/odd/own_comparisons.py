"""Has values that are equal to nothing, not even to themselves, and tests that know it.

expect: passed
within: 1
"""
# --- module ---
class Never:
    def __eq__(self, other):
        return False

    __hash__ = object.__hash__


def nothing():
    return float("nan")
# --- suite ---
from solution import Never, nothing


def test_nan():
    assert nothing() != nothing()


def test_never():
    never = Never()
    assert never != never
    assert not never == 1
