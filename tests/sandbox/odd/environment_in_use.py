"""Sets variables of the environment and takes them back.

expect: passed
within: 1
"""
# --- module ---
import os


def double(number):
    os.environ["NUMBER"] = str(number)
    try:
        return 2 * int(os.environ["NUMBER"])
    finally:
        del os.environ["NUMBER"]
