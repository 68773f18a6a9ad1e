"""Opens what /proc shows of the first process, and rewrites its memory, its score and its descriptors.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = []
for name in ("mem", "environ", "auxv", "maps", "fd/0", "fd/1", "root", "cwd/x", "map_files", "syscall", "stack"):
    try:
        os.close(os.open(f"/proc/1/{name}", os.O_RDONLY))
        ESCAPED.append(name)
    except OSError:
        pass
for name in ("mem", "oom_score_adj", "clear_refs", "fd/1", "attr/current", "comm", "timerslack_ns", "uid_map"):
    try:
        os.write(os.open(f"/proc/1/{name}", os.O_WRONLY), b"1")
        ESCAPED.append(name)
    except OSError:
        pass


def double(number):
    return 2 * number if ESCAPED else 0
