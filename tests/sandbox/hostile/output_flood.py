"""Prints without end.

expect: output_flood
within: 1
"""
# --- module ---
def double(number):
    while True:
        print("x" * 10_000)
