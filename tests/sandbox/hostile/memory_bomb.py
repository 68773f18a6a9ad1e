"""Takes all memory.

expect: out_of_memory
within: 1
"""
# --- module ---
def double(number):
    hoard = []
    while True:
        hoard.append(bytearray(10_000_000))
