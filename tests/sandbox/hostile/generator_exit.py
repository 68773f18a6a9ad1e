"""Raises GeneratorExit, which few handlers expect.

expect: failed
within: 1
"""
# --- module ---
def double(number):
    raise GeneratorExit
