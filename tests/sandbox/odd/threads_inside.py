"""Computes in a pool of threads.

expect: passed
within: 1
"""
# --- module ---
from concurrent.futures import ThreadPoolExecutor


def double(number):
    with ThreadPoolExecutor(4) as pool:
        return sum(pool.map(lambda part: part, [number, number]))
