"""Rewrites, replaces, removes or opens up the suite's file.

expect: failed
within: 1
"""
# --- module ---
import os

SUITE = "/job/test_solution.py"
with open("/tmp/green.py", "w") as file:
    file.write("def test_two(): ...\ndef test_three(): ...\n")
ESCAPED = []
for attempt in (
    lambda: open(SUITE, "w"),
    lambda: open(SUITE, "a"),
    lambda: os.truncate(SUITE, 0),
    lambda: os.unlink(SUITE),
    lambda: os.rename("/tmp/green.py", SUITE),
    lambda: os.replace(SUITE, "/tmp/theirs.py"),
    lambda: os.chmod(SUITE, 0o666),
    lambda: os.chmod("/job", 0o777),
    lambda: os.chown(SUITE, os.getuid(), -1),
    lambda: os.utime(SUITE, (0, 0)),
    lambda: os.setxattr(SUITE, "user.x", b"y"),
):
    try:
        attempt()
        ESCAPED.append(attempt)
    except OSError:
        pass


def double(number):
    return 2 * number if ESCAPED else 0
