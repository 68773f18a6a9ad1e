"""Makes named pipes with the names of the job's files and waits for somebody to open one.

expect: timeout
limits: seconds=2
within: 1
"""
# --- module ---
import os

os.chdir("/tmp")
for name in ("test_solution.py", "solution.py", "conftest.py"):
    os.mkfifo(name)


def double(number):
    with open("/tmp/test_solution.py") as pipe:
        return pipe.read()
