"""Finds the secret of the run and the sandbox's own tests, and tells the whole story of both by itself.

expect: tampered
within: 1
"""
# --- module ---
import os
import re
import sys

from _pytest.config import Config


def config_of_the_session():
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, Config):
                return value
        frame = frame.f_back


config = config_of_the_session()
reporter = next(plugin for plugin in config.pluginmanager.get_plugins() if type(plugin).__name__ == "Reporter")
ours, suite = config.args
with open(ours) as file:
    source = file.read()
PASSES, FAILS = re.findall(r"def (\w+)\(\):", source)
[WORDS] = re.findall(r'assert not number, "(\w+)"', source)
[NUMBER] = re.findall(r"number, told = (\d+)", source)
MESSAGE = f"Failed: '{WORDS}\\nassert not {NUMBER}' []"


def told(test, phase, **more):
    plain = {"outcome": "passed", "expected_to_fail": False, "seconds": 0.001, **more}
    reporter.send("phase", id=test, phase=phase, **plain)


ids = [f"{ours}::{PASSES}", f"{suite}::test_two", f"{suite}::test_three", f"{ours}::{FAILS}"]
reporter.send("collected", ids=ids)
for test in ids:
    reporter.send("start", id=test)
    told(test, "setup")
    if test == ids[-1]:
        told(test, "call", outcome="failed", message=MESSAGE, traceback="")
    else:
        told(test, "call")
    told(test, "teardown")
reporter.send("finish", status=1, nonce=reporter.nonce)
reporter.send("exit", status=1)
os._exit(1)
