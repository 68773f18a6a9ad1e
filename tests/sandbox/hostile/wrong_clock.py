"""Patches the clocks, Python's and pytest's own.

expect: failed | tampered
within: 1
"""
# --- module ---
import time

import _pytest.timing

nan = float("nan")
time.time = time.monotonic = time.perf_counter = lambda: -1e300
time.sleep = lambda seconds: None
_pytest.timing.time = _pytest.timing.perf_counter = lambda: nan


def double(number):
    return 0
