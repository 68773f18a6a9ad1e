"""Replaces the process by a program that succeeds.

expect: incomplete
within: 1
"""
# --- module ---
import os


def double(number):
    os.execv("/bin/true", ["/bin/true"])
