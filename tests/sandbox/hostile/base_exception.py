"""Raises a subclass of BaseException with a name that looks like pytest's own.

expect: failed
within: 1
"""
# --- module ---
class Exit(BaseException):
    returncode = 0


def double(number):
    raise Exit
