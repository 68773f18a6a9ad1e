"""Finds the secret of the run and the sandbox's own tests, and tells the whole story of both by itself.

expect: tampered
until split: passed
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
asked = config.args
ours = next(name.partition("::")[0] for name in asked if "::" in name)
with open(ours) as file:
    source = file.read()
MUST_FAIL = re.compile(r'def (\w+)\(\):\n    found = replaced\(\)\n    assert \(found, (\d+)\) == (\d+), "(\w+)"')
MESSAGES = {
    f"{ours}::{name}": f"AssertionError: {words}\nassert ([], {number}) == {wanted}"
    for name, number, wanted, words in MUST_FAIL.findall(source)
}


def told(test, phase, **more):
    plain = {"outcome": "passed", "expected_to_fail": False, "seconds": 0.001, **more}
    reporter.send("phase", id=test, phase=phase, **plain)


ids = []
for name in asked:
    ids += [name] if "::" in name else [f"{name}::test_two", f"{name}::test_three"]
reporter.send("collected", ids=ids)
for test in ids:
    reporter.send("start", id=test)
    told(test, "setup")
    if test in MESSAGES:
        told(test, "call", outcome="failed", message=MESSAGES[test], traceback="")
    else:
        told(test, "call")
    told(test, "teardown")
reporter.send("finish", status=1, nonce=reporter.nonce)
reporter.send("exit", status=1)
os._exit(1)
