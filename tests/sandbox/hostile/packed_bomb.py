"""Unpacks a small text into more than there is memory.

expect: out_of_memory
within: 1
"""
# --- module ---
import zlib


def packed():
    packer = zlib.compressobj(1)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()


def double(number):
    return zlib.decompress(packed())
