"""Has tests with names of a hundred thousand characters.

expect: passed
within: 1
"""
# --- suite ---
import pytest
from solution import double


@pytest.mark.parametrize("name", ["x" * 100_000, "y" * 100_000])
def test_all(name):
    assert double(len(name)) == 2 * len(name)
# --- module ---
def double(number):
    return 2 * number
