"""Raises nested groups of exceptions, one of which claims to be a skip.

expect: failed
within: 1
"""
# --- module ---
import pytest


def double(number):
    raise BaseExceptionGroup("all", [pytest.skip.Exception("skip"), BaseExceptionGroup("more", [SystemExit(0)])])
