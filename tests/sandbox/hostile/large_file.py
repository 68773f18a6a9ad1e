"""Writes a file that is larger than a single one may be.

expect: failed
within: 1
"""
# --- module ---
def double(number):
    with open("/tmp/large", "wb") as file:
        file.write(bytes(20_000_000))
