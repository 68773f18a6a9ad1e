"""Registers a codec in place of UTF-8, and error handlers that end the process.

expect: failed
within: 1
"""
# --- module ---
import codecs
import os

codecs.register(lambda name: os._exit(0) if "utf" in name else None)
codecs.register_error("replace", lambda error: ("", error.end))
codecs.register_error("backslashreplace", lambda error: ("", error.end))


def double(number):
    return "\udc80"
