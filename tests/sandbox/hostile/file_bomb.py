"""Makes empty files without end.

expect: timeout | out_of_memory | disk_full
limits: seconds=3
within: 1
"""
# --- module ---
import os


def double(number):
    count = 0
    while True:
        count += 1
        os.close(os.open(f"/tmp/{count}", os.O_CREAT | os.O_WRONLY))
