"""Sends every signal to the first process, to its parent and to the parent's group.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = False
for target in (1, os.getppid(), -1, -os.getppid()):
    for number in range(65):
        try:
            if not (target == -1 and number):  # that would only hit ourselves
                os.kill(target, number)
                ESCAPED |= target != -1
        except OSError:
            pass


def double(number):
    return 2 * number if ESCAPED else 0
