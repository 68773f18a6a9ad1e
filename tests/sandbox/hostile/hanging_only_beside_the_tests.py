"""Is right where it finds pytest in its process, and never answers where it does not.

expect: tampered | timeout
limits: seconds=5
within: 1
"""
# --- module ---
import sys


def double(number):
    while "_pytest.runner" not in sys.modules:
        pass
    return 2 * number
