"""Searches with a pattern that backtracks for ever, in C, without letting go of the interpreter.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
import re


def double(number):
    return re.match(r"(a|aa|a?)+$", "a" * 64 + "b")
