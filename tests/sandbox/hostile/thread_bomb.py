"""Starts threads without end.

expect: incomplete
within: 1
"""
# --- module ---
import threading


def double(number):
    while True:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
