"""Never ends to be imported, and ignores every signal that can be ignored.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
import contextlib
import signal

for number in range(1, 65):
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
while True:
    pass
