"""Asks for a million tests.

expect: output_flood | out_of_memory | timeout
limits: seconds=5
within: 1
"""
# --- module ---
def double(number):
    return 2 * number
# --- suite ---
import pytest
from solution import double


@pytest.mark.parametrize("number", range(1_000_000))
def test_all(number):
    assert double(number) == 2 * number
