"""Leaves an installed package that offers pytest a plugin.

expect: failed
within: 1
"""
# --- module ---
import contextlib
import os
import sys

for folder in [*sys.path, "/tmp"]:
    with contextlib.suppress(OSError):
        os.makedirs(f"{folder}/mine-1.dist-info", exist_ok=True)
        with open(f"{folder}/mine-1.dist-info/entry_points.txt", "w") as file:
            file.write("[pytest11]\nmine = solution\n")
sys.argv += ["-p", "solution", "--collect-only"]


def pytest_pyfunc_call(pyfuncitem):
    return True


def double(number):
    return 0
