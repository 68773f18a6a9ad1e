"""Traces its own calls and puts pytest's own tracer back.

expect: passed
within: 1
"""
# --- module ---
import sys


def double(number):
    calls = []
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: calls.append(event))
    try:
        (lambda: None)()
    finally:
        sys.settrace(before)
    return 2 * number * min(len(calls), 1)
