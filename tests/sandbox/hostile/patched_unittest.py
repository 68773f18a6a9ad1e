"""Patches the assertions of unittest.

expect: tampered
within: 1
"""
# --- module ---
import unittest

for name in dir(unittest.TestCase):
    if name.startswith("assert"):
        setattr(unittest.TestCase, name, lambda *values, **options: None)


def double(number):
    return 0
# --- suite ---
import unittest

from solution import double


class Doubling(unittest.TestCase):
    def test_two(self):
        self.assertEqual(double(2), 4)
