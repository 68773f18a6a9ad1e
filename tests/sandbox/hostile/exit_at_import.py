"""Ends the process with exit code 0 as soon as it is imported.

expect: incomplete
within: 1
"""
# --- module ---
import os

os._exit(0)
