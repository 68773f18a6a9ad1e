"""Patches the method of pytest that runs a test.

expect: tampered
within: 1
"""
# --- module ---
import _pytest.python

_pytest.python.Function.runtest = lambda self: None


def double(number):
    return 0
