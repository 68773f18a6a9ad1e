"""Waits by a clock that the suite patches.

expect: passed
within: 1
limits: seconds=6
"""
# --- module ---
import time


def elapsed(begin):
    return time.monotonic() - begin


def pause(seconds):
    time.sleep(seconds)
    return seconds
# --- suite ---
import solution


def test_elapsed(monkeypatch):
    monkeypatch.setattr(solution.time, "monotonic", lambda: 10.0)
    assert solution.elapsed(4.0) == 6.0


def test_pause(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert solution.pause(3600) == 3600
