"""Recurses deeply and puts the limit back.

expect: passed
within: 1
"""
# --- module ---
import sys


def depth(count):
    return 0 if count == 0 else 1 + depth(count - 1)


def double(number):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        return depth(5_000) // 5_000 * 2 * number
    finally:
        sys.setrecursionlimit(before)
