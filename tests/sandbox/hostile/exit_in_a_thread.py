"""Ends the process with exit code 0 from another thread while a test waits.

expect: incomplete
within: 1
"""
# --- module ---
import os
import threading


def double(number):
    threading.Thread(target=os._exit, args=(0,)).start()
    threading.Event().wait()
