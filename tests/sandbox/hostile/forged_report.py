"""Writes the whole report of a green run to every descriptor, with a secret that it guessed.

expect: tampered
within: 1
"""
# --- module ---
import contextlib
import json
import os

SECRET = "0" * 32


def told(test):
    identity = f"test_solution.py::{test}"
    yield {"event": "start", "id": identity}
    for phase in ("setup", "call", "teardown"):
        plain = {"outcome": "passed", "expected_to_fail": False, "seconds": 0.0}
        yield {"event": "phase", "id": identity, "phase": phase, **plain}


IDS = ["test_solution.py::test_two", "test_solution.py::test_three"]
STORY = [{"event": "collected", "ids": IDS}, *told("test_two"), *told("test_three")]
STORY += [{"event": "finish", "status": 0, "nonce": SECRET}, {"event": "exit", "status": 0}]
for file in range(3, 256):
    with contextlib.suppress(OSError):
        os.write(file, "".join(json.dumps(event) + "\n" for event in STORY).encode())
os._exit(0)
