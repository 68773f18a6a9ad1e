"""Raises an exception that carries ten megabytes of text.

expect: failed
within: 1
"""
# --- module ---
def double(number):
    raise ValueError("x" * 10_000_000)
