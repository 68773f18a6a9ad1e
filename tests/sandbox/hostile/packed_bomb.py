"""Unpacks a small text into gigabytes.

expect: out_of_memory
within: 1
"""
# --- module ---
import zlib


def packed():
    packer = zlib.compressobj()
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(400)) + packer.flush()


def double(number):
    return zlib.decompress(packed())
