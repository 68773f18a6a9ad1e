"""Asks pytest to end the session with exit code 0.

expect: incomplete
within: 1
"""
# --- module ---
import pytest


def double(number):
    pytest.exit("all is well", returncode=0)
