"""Raises KeyboardInterrupt in a test, as if a person had stopped the run.

expect: incomplete
within: 1
"""
# --- module ---
def double(number):
    raise KeyboardInterrupt
