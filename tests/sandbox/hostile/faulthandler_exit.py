"""Lets faulthandler's watchdog end the process.

expect: incomplete
within: 1
"""
# --- module ---
import faulthandler
import sys
import time


def double(number):
    faulthandler.dump_traceback_later(0.05, exit=True, file=sys.__stderr__)
    time.sleep(60)
