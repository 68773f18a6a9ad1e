"""Lets a child with the parent's process id go on with the session, and ends the parent with exit code 0.

expect: tampered
within: 1
"""
# --- module ---
import os

here = os.getpid()
child = os.fork()
if child:
    os.waitpid(child, 0)
    os._exit(0)
os.getpid = lambda: here


def double(number):
    return 0
