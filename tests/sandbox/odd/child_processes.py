"""Runs programs and collects what they say.

expect: passed
within: 1
"""
# --- module ---
import subprocess
import sys


def double(number):
    code = f"print({number} * 2)"
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=20).stdout)
