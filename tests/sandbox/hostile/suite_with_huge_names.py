"""Is a suite of tests whose names are a megabyte long and differ only in the middle.

expect: failed | tampered | output_flood
within: 1
"""
# --- suite ---
import pytest
from solution import double

LONG = "x" * 500_000


@pytest.mark.parametrize("name", [f"{LONG}{letter}{LONG}" for letter in "ab"])
def test_all(name):
    assert double(2) == 4
