"""What the channel says of itself after a suite: what it could not carry, what it refused, why it broke."""

from collections.abc import Callable
from typing import Any

import pytest

Split = Callable[[str, str], Any]

CLOCK = """
import time
LIMIT = 3
def now(): return time.time()
class Box:
    size = 1
    def get(self): return 1
"""


@pytest.mark.parametrize(
    ("test", "note"),
    [
        ("monkeypatch.setattr(solution, 'LIMIT', 4)", "patched module attribute `LIMIT`"),
        ("monkeypatch.setattr(time, 'time', lambda: 0)", "patched `time.time`"),
        ("monkeypatch.setattr('time.time', lambda: 0)", "patched `time.time`"),
        ("monkeypatch.setattr(solution.Box, 'get', lambda self: 2)", "patched class attribute `Box.get`"),
        ("monkeypatch.setenv('HOME', '/')", "environment variable `HOME`"),
        ("monkeypatch.chdir('/')", "change of the working directory"),
        ("importlib.reload(solution)", "reload of the module"),
        ("mock.patch('time.sleep').start()", "patched `time.sleep`"),
        ("len(solution.Box.__doc__ or solution.now.__name__); pickle_it(solution.Box())", "pickle of an object"),
        ("pytest.raises(Exception, solution.now, 'x' * (1 << 25))", "a value of more than 16 MiB"),
    ],
)
def test_what_the_suite_does_past_the_module_is_named(split: Split, test: str, note: str) -> None:
    suite = f"""
import importlib, pickle, time, pytest, solution
from unittest import mock
def pickle_it(x):
    with pytest.raises(TypeError): pickle.dumps(x)
def test_it(monkeypatch):
    {test}
"""
    assert any(note in told for told in split(CLOCK, suite).cannot_carry)


def test_a_patched_name_of_the_module_still_reaches_it(split: Split) -> None:
    suite = """
import solution
def test_it(monkeypatch):
    monkeypatch.setattr(solution, "double", lambda x: 7)
    assert solution.use(2) == 7
def test_undone(): assert solution.use(2) == 4
"""
    told = split("def double(x): return 2 * x\ndef use(x): return double(x)\n", suite)
    assert told.failed == {}


def test_a_suite_that_patches_nothing_leaves_no_note(split: Split) -> None:
    told = split(CLOCK, "import solution\ndef test_it(): assert solution.now() > 0 and solution.Box().get() == 1\n")
    assert (told.green, told.cannot_carry, told.refused) == (True, [], [])


def test_a_module_that_dies_breaks_the_channel_for_every_later_test(split: Split) -> None:
    suite = """
import pytest, solution
def test_first():
    with pytest.raises(BaseException): solution.die()
def test_second(): assert solution.fine() == 1
"""
    told = split("import os\ndef die(): os._exit(0)\ndef fine(): return 1\n", suite)
    assert (told.passed, list(told.failed), told.broken) == (["test_first"], ["test_second"], told.broken)
    assert "died" in told.broken


def test_errors_at_import_are_those_of_the_module(split: Split) -> None:
    told = split("def f(:\n", "import solution\ndef test_it(): pass\n")
    assert "SyntaxError" in told.failed["collection"]
    assert not told.green


def test_a_refusal_is_explained(split: Split) -> None:
    module = "class Evil:\n    def __eq__(self, o): return True\ndef f(): return Evil()\n"
    told = split(module, "from solution import f\ndef test_it(): assert f() == 3\n")
    assert told.refused == ["`==` of a Evil with a int: it equals other values as well"]


@pytest.mark.parametrize("kind", ["int", "float"])
def test_sums_with_a_number_that_is_more_are_done_on_the_side_of_the_tests(split: Split, kind: str) -> None:
    module = f"class Evil({kind}):\n    def __sub__(self, o): return {kind}(0)\n    __rsub__ = __sub__\n"
    suite = "import pytest\nfrom solution import Evil\n"
    tests = [
        "abs(Evil(3) - 42) < 1",
        "abs(42 - Evil(3)) < 1",
        "Evil(3) == pytest.approx(42)",
        "pytest.approx(42) == Evil(3)",
    ]
    for number, test in enumerate(tests):
        suite += f"def test_{number}(): assert {test}\n"
    told = split(module, suite)
    assert told.passed == []
