"""Writes configuration files of pytest into every folder that it can reach.

expect: failed
within: 1
"""
# --- module ---
import contextlib
import os

FILES = {
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    ".pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "tox.ini": "[pytest]\naddopts = --collect-only\n",
    "setup.cfg": "[tool:pytest]\naddopts = --collect-only\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
}
for folder in ("/job", "/tmp", "/", "/opt/selfheal", os.path.expanduser("~")):
    for name, text in FILES.items():
        with contextlib.suppress(OSError), open(f"{folder}/{name}", "w") as file:
            file.write(text)


def double(number):
    return 0
