"""Leaves a thread running that Python would wait for.

expect: passed
within: 1
"""
# --- module ---
import threading
import time


def double(number):
    threading.Thread(target=time.sleep, args=(3600,)).start()
    return 2 * number
