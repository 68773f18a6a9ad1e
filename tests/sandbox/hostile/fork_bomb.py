"""Forks for ever.

expect: incomplete | out_of_memory | timeout
limits: seconds=5
within: 1
"""
# --- module ---
import os


def double(number):
    while True:
        os.fork()
