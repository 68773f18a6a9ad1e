"""Fills the report itself with empty lines.

expect: output_flood | tampered
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


plugins = config_of_the_session().pluginmanager.get_plugins()
reporter = next(plugin for plugin in plugins if type(plugin).__name__ == "Reporter")


def double(number):
    while True:
        os.write(reporter.report, b"\n" * 65536)
