"""Computes a number that has more digits than there are atoms.

expect: timeout | out_of_memory
limits: seconds=2
within: 1
"""
# --- module ---
def double(number):
    return 9**9**9
