"""Tells pytest that the test that calls it is expected to fail.

expect: not_all_passed
within: 1
"""
# --- module ---
import pytest


def double(number):
    pytest.xfail("as expected")
