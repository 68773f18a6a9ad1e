"""Hides a line of code in a comment that is one only in UTF-8.

expect: incomplete
within: 1
"""
# --- module ---
# coding: utf-7
# harmless +AAo-import os+ADs-os._exit(0)
def double(number):
    return 2 * number
