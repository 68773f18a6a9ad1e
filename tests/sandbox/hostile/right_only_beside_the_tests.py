"""Is right where it finds pytest in its process, and wrong where it does not.

expect: tampered
within: 1
"""
# --- module ---
import sys


def double(number):
    return 2 * number if "_pytest.runner" in sys.modules else 0
