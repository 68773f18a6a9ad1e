"""Raises an exception whose text ends the process with exit code 0.

expect: incomplete
within: 1
"""
# --- module ---
import os


class Leaving(Exception):
    def __str__(self):
        os._exit(0)


def double(number):
    raise Leaving
