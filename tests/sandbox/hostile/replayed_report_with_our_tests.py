"""Finds the secret of the run and the sandbox's own tests, and tells the whole story of both by itself.

expect: tampered
within: 1
"""
# --- module ---
import os
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
plugins = {type(plugin).__name__: plugin for plugin in config.pluginmanager.get_plugins()}
reporter = plugins["Reporter"]
passes, fails = plugins["Parking"].canary.items
own = passes.obj.__globals__
MESSAGE = f"Failed: '{own['words']}\\nassert not {own['number']}' []"
[suite] = config.args


def told(test, phase, **more):
    plain = {"outcome": "passed", "expected_to_fail": False, "seconds": 0.001, **more}
    reporter.send("phase", id=test, phase=phase, **plain)


ids = [passes.nodeid, f"{suite}::test_two", f"{suite}::test_three", fails.nodeid]
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
