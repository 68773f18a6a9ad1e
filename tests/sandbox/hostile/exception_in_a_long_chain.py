"""Raises an exception at the end of a chain of two hundred others.

expect: failed
within: 1
"""
# --- module ---
def double(number):
    error = None
    for link in range(200):
        following = ValueError(link)
        following.__cause__ = error
        error = following
    raise error
