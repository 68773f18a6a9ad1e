"""Is ended by the default action of SIGALRM.

expect: crashed
within: 1
"""
# --- module ---
import signal
import time


def double(number):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(60)
