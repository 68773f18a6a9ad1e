"""Reaches through the caller's frame into the suite and marks all of it to be skipped.

expect: not_all_passed | tampered
within: 1
"""
# --- module ---
import sys

import pytest

frame = sys._getframe()
while frame is not None:
    if frame.f_globals.get("__name__") == "test_solution":
        frame.f_globals["pytestmark"] = pytest.mark.skip
    frame = frame.f_back


def double(number):
    return 0
