"""Leaves a daemon thread running.

expect: passed
within: 1
"""
# --- module ---
import threading
import time

threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


def double(number):
    return 2 * number
