"""Prints half of what it may.

expect: passed
within: 1
"""
# --- module ---
def double(number):
    print("x" * 250_000)
    return 2 * number
