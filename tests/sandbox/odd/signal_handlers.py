"""Installs signal handlers, raises a signal and is interrupted by an alarm of its own.

expect: passed
within: 1
"""
# --- module ---
import signal

heard = []


def double(number):
    signal.signal(signal.SIGUSR1, lambda *_: heard.append(number))
    signal.raise_signal(signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, signal.SIG_DFL)
    return 2 * heard[-1]
