"""Makes its attributes when they are asked for.

expect: passed
within: 1
"""
# --- module ---
__all__ = ["double"]


def __getattr__(name):
    if name == "double":
        return lambda number: 2 * number
    raise AttributeError(name)
# --- suite ---
import pytest
import solution


def test_two():
    assert solution.double(2) == 4


def test_other():
    with pytest.raises(AttributeError):
        solution.triple
