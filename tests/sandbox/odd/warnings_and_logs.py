"""Warns, logs and changes filters, and its suite looks at all of it.

expect: passed
within: 1
"""
# --- module ---
import logging
import warnings


def double(number):
    warnings.warn("old", DeprecationWarning, stacklevel=2)
    logging.getLogger("doubling").warning("doubling %s", number)
    return 2 * number
# --- suite ---
import pytest
from solution import double


def test_two():
    with pytest.warns(DeprecationWarning, match="old"):
        assert double(2) == 4
