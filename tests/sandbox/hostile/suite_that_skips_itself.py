"""Is a suite that skips itself before it defines a test.

expect: no_tests
within: 1
"""
# --- module ---
double = None
# --- suite ---
import pytest

pytest.skip("not today", allow_module_level=True)


def test_two():
    assert False
