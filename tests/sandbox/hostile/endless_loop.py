"""Never returns.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
def double(number):
    while True:
        pass
