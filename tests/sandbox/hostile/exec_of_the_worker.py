"""Starts the guest's own worker again in place of the session, on the same descriptors.

expect: tampered | incomplete
within: 1
"""
# --- module ---
import os
import sys


def double(number):
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
