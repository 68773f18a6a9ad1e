"""Reaches through the caller's frame into the suite and marks all of it as no test.

expect: no_tests | tampered
within: 1
"""
# --- module ---
import sys

frame = sys._getframe()
while frame is not None:
    if frame.f_globals.get("__name__") == "test_solution":
        frame.f_globals["__test__"] = False
    frame = frame.f_back


def double(number):
    return 0
