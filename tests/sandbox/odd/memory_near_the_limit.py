"""Takes much memory for a moment, well below what it may.

expect: passed
within: 1
"""
# --- module ---
def double(number):
    block = bytearray(100_000_000)
    return 2 * number + block[-1]
