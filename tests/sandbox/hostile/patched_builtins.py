"""Patches the built-in functions that the suite compares with.

expect: tampered
within: 1
"""
# --- module ---
import builtins

builtins.abs = lambda number: 0


def double(number):
    return 0
# --- suite ---
from solution import double


def test_two():
    assert abs(double(2) - 4) < 0.001
