"""Raises an exception at the end of a chain of a thousand others.

expect: failed
limits: seconds=30
within: 1
"""
# --- module ---
def double(number):
    error = None
    for link in range(1000):
        following = ValueError(link)
        following.__cause__ = error
        error = following
    raise error
