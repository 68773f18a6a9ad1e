"""Registers itself as a plugin of pytest that takes every test for run.

expect: tampered
within: 1
"""
# --- module ---
import gc
import sys

from _pytest.config import PytestPluginManager


def pytest_pyfunc_call(pyfuncitem):
    return True


for found in gc.get_objects():
    if isinstance(found, PytestPluginManager):
        found.register(sys.modules[__name__])


def double(number):
    return 0
