"""What a candidate must be before it is run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.gates.candidate import CandidateFacts, check_candidate

SUITE = "from solution import add, Counter\nimport solution\n\ndef test_it():\n    assert solution.LIMIT == add(1, 2)\n"
FACTS = CandidateFacts("solution", SUITE)
GOOD = "LIMIT = 3\n\ndef add(a, b):\n    return a + b\n\nclass Counter:\n    pass\n"


def test_a_module_that_defines_what_the_suite_imports_passes() -> None:
    assert FACTS.wanted == {"add", "Counter", "LIMIT"}
    assert check_candidate(GOOD, FACTS).passed


@pytest.mark.parametrize(
    "definition",
    [
        "from math import fsum as add",
        "if True:\n    add = sum",
        "try:\n    from fast import add\nexcept ImportError:\n    def add(a, b):\n        return a + b",
        "add: object = sum",
        "for add in [sum]:\n    pass",
        "with open('x') as add:\n    pass",
        "(add, other) = sum, max",
        "print(add := sum)",
        "def build():\n    global add\n    add = sum\nbuild()",
        "def __getattr__(name):\n    return sum",
        "globals()['add'] = sum",
        "from operator import *",
        "match 1:\n    case 1:\n        add = sum",
    ],
)
def test_every_way_to_define_a_name_counts(definition: str) -> None:
    assert check_candidate(f"LIMIT = 3\nclass Counter: ...\n{definition}\n", FACTS).passed


def test_names_that_are_missing_are_named() -> None:
    (reason,) = check_candidate("def add(a, b):\n    LIMIT = 1\n    return a + b\n", FACTS).reasons
    assert "`Counter`, `LIMIT`" in reason


def test_a_module_that_does_not_parse_is_refused_with_the_line() -> None:
    (reason,) = check_candidate("def add(a, b)\n    return a + b\n", FACTS).reasons
    assert "not valid Python: line 1" in reason


@pytest.mark.parametrize(
    "tests",
    [
        "def test_add():\n    assert add(1, 1) == 2\n",
        "class TestAdd:\n    def test_small(self):\n        pass\n",
        "import unittest\nclass Sums(unittest.TestCase):\n    def test_small(self):\n        pass\n",
    ],
)
def test_a_module_that_contains_tests_is_refused(tests: str) -> None:
    (reason,) = check_candidate(GOOD + tests, FACTS).reasons
    assert "contains tests" in reason


def test_names_that_only_sound_like_tests_are_kept() -> None:
    code = GOOD + "def testable(x):\n    return x\n\nclass TestBed:\n    def run(self):\n        pass\n"
    assert check_candidate(code, FACTS).passed


def test_a_name_that_the_suite_imports_is_no_test_of_the_module() -> None:
    facts = CandidateFacts("solution", "from solution import test_card\n\ndef test_it():\n    assert test_card('1')\n")
    assert check_candidate("def test_card(number):\n    return True\n", facts).passed


def test_a_module_that_imports_itself_is_refused() -> None:
    (reason,) = check_candidate(f"from solution import other\n{GOOD}", FACTS).reasons
    assert "imports itself" in reason


@given(st.text() | st.sampled_from(["(" * 5000, "\0", "x = " + "-" * 9000 + "1", GOOD + "\ud800"]))
def test_no_text_makes_the_gate_fail(text: str) -> None:
    assert isinstance(check_candidate(text, FACTS).passed, bool)
    assert isinstance(check_candidate(GOOD, CandidateFacts("solution", text)).passed, bool)
