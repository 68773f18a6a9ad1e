"""Finds the reporter among all objects and replaces the method by which it tells.

expect: tampered
within: 1
"""
# --- module ---
import gc
import os

leave = os._exit
os._exit = lambda status: leave(0)
reporter = next(found for found in gc.get_objects() if type(found).__name__ == "Reporter")
told = type(reporter).send


def send(self, event, **fields):
    if fields.get("outcome") == "failed":
        fields.update(outcome="passed", message="", traceback="")
    if "status" in fields:
        fields["status"] = 0
    told(self, event, **fields)


type(reporter).send = send


def double(number):
    return 0
