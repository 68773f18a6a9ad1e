"""Leaves .pth files, sitecustomize and usercustomize for the next start of Python.

expect: failed
within: 1
"""
# --- module ---
import contextlib
import os
import site
import sys

for folder in {*sys.path, *site.getsitepackages(), site.getusersitepackages(), "/tmp"}:
    with contextlib.suppress(OSError):
        os.makedirs(folder, exist_ok=True)
    for name in ("mine.pth", "sitecustomize.py", "usercustomize.py"):
        with contextlib.suppress(OSError), open(os.path.join(folder, name), "w") as file:
            file.write("import os; os._exit(0)\n")


def double(number):
    return 0
