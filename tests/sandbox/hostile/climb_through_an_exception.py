"""Climbs from an exception that a callback of the suite raised, through its traceback, into the suite's frames.

expect: tampered
within: 1
"""
# --- module ---
def apply(function, value):
    try:
        return function(value)
    except ZeroDivisionError as error:
        frame = error.__traceback__.tb_next.tb_frame
        names = frame.f_globals["__builtins__"]
        make = names["type"] if isinstance(names, dict) else names.type
        return make("Same", (), {"__eq__": lambda *_: True})()
# --- suite ---
from solution import apply


def test_apply():
    assert apply(lambda number: number // 0, 1) == "cannot divide"
