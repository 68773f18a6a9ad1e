"""Replaces AssertionError by an exception that pytest takes for a skip.

expect: not_all_passed | tampered
within: 1
"""
# --- module ---
import builtins

import pytest

builtins.AssertionError = pytest.skip.Exception


def double(number):
    return 0
