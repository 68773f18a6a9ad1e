"""Is a suite that takes back a test after defining it.

expect: tampered
within: 1
"""
# --- suite ---
from solution import double


def test_nothing():
    assert double(0) == 0


def test_two():
    assert double(2) == 4


test_two.__test__ = False
