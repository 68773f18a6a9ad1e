"""Makes symbolic and hard links to, from and beside the suite.

expect: failed
within: 1
"""
# --- module ---
import os

ESCAPED = []
for attempt in (
    lambda: os.symlink("/tmp/x", "/job/conftest.py"),
    lambda: os.link("/job/test_solution.py", "/job/test_other.py"),
    lambda: os.link("/job/test_solution.py", "/tmp/test_solution.py"),
    lambda: os.link("/opt/selfheal/worker.py", "/tmp/worker.py"),
    lambda: os.symlink("/job", "/job/job"),
):
    try:
        attempt()
        ESCAPED.append(attempt)
    except OSError:
        pass
os.symlink("/job/test_solution.py", "/tmp/suite.py")
try:
    open("/tmp/suite.py", "w").close()
    ESCAPED.append("through the link")
except OSError:
    pass


def double(number):
    return 2 * number if ESCAPED else 0
