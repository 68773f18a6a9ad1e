"""Lifts the limit of recursion and overflows the stack in C.

expect: crashed | out_of_memory | failed
within: 1
"""
# --- module ---
import sys

sys.setrecursionlimit(2**31 - 1)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x"[:0])

    def __repr__(self):
        return "%r" % (self,)


def double(number):
    return repr(Deep())
