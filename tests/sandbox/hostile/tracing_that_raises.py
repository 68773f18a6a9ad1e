"""Raises from a profile function wherever pytest calls one of its own.

expect: incomplete | collection_error | failed | tampered
within: 1
"""
# --- module ---
import sys


def look(frame, event, argument):
    if event == "call" and "_pytest" in frame.f_code.co_filename:
        raise SystemExit(0)


sys.setprofile(look)


def double(number):
    return 0
