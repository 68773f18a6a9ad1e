"""Names a coding that does not exist.

expect: collection_error
within: 1
"""
# --- module ---
# coding: mine
def double(number):
    return 2 * number
