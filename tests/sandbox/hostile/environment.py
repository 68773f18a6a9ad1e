"""Rewrites the environment from which Python and pytest read their options.

expect: failed
within: 1
"""
# --- module ---
import os

os.environ.clear()
os.environ.update(
    PYTEST_ADDOPTS="--collect-only",
    PYTEST_PLUGINS="solution",
    PYTHONPATH="/tmp",
    PYTHONSTARTUP="/tmp/x.py",
    PYTHONINSPECT="1",
    PYTHONOPTIMIZE="2",
    PYTEST_CURRENT_TEST="x",
    LD_PRELOAD="/tmp/x.so",
    CI="1",
)


def double(number):
    return 0
