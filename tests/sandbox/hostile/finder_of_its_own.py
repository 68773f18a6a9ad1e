"""Answers every later import of the suite with a module of its own making.

expect: tampered
within: 1
"""
# --- module ---
import sys
import types


class Finder:
    def find_spec(self, name, path=None, target=None):
        return None

    def __getattr__(self, name):
        raise AttributeError(name)


class Same:
    def __eq__(self, other):
        return True


helper = types.ModuleType("statistics")
helper.mean = lambda values: Same()
sys.modules["statistics"] = helper
sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: (_ for _ in ()).throw(ImportError(path)))
sys.path_importer_cache.clear()


def double(number):
    return 0
# --- suite ---
from solution import double

import statistics


def test_two():
    assert statistics.mean([double(2), double(4)]) == 6
