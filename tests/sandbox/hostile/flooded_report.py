"""Fills the report itself with empty lines.

expect: output_flood | tampered
within: 1
"""
# --- module ---
import gc
import os


def double(number):
    reporter = next(found for found in gc.get_objects() if type(found).__name__ == "Reporter")
    while True:
        os.write(reporter.report, b"\n" * 65536)
