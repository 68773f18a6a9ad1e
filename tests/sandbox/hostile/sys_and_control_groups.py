"""Writes to every file that it finds below /sys, control groups among them.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = []
for folder in ("/sys/fs/cgroup", "/sys/kernel", "/sys/power", "/sys/module"):
    for root, folders, files in os.walk(folder):
        del folders[20:]
        for name in files[:20]:
            try:
                os.close(os.open(os.path.join(root, name), os.O_WRONLY))
                ESCAPED.append(name)
            except OSError:
                pass
        try:
            os.mkdir(os.path.join(root, "mine"))
            ESCAPED.append(root)
        except OSError:
            pass


def double(number):
    return 2 * number if ESCAPED else 0
