"""Sets itself a limit of one second of processor time and uses it up.

expect: crashed
within: 1
"""
# --- module ---
import resource


def double(number):
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    while True:
        pass
