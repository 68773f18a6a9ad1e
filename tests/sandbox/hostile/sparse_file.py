"""Makes a file that claims to have a terabyte.

expect: failed
within: 1
"""
# --- module ---
import os


def double(number):
    os.truncate(os.open("/tmp/large", os.O_CREAT | os.O_RDWR), 1 << 40)
