"""What a suite must be before code is written for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.gates.suite import SuiteFacts, check_suite

FACTS = SuiteFacts("solution")
GOOD = "from solution import add\n\ndef test_sum():\n    assert add(1, 2) == 3\n"


@pytest.mark.parametrize(
    "tests",
    [
        GOOD,
        "import solution\n\ndef test_sum():\n    assert solution.add(1, 2) == 3\n",
        "import solution as s\n\nclass TestAdd:\n    def test_sum(self):\n        assert s.add(1, 2) == 3\n",
        "import unittest\nfrom solution import add\n\nclass Sums(unittest.TestCase):\n    def test_sum(self):\n"
        "        self.assertEqual(add(1, 2), 3)\n",
        "try:\n    from solution import add\nexcept ImportError:\n    raise\n\n"
        "async def test_sum():\n    assert add(1, 2)\n",
    ],
)
def test_a_suite_that_imports_and_tests_the_module_passes(tests: str) -> None:
    assert check_suite(tests, FACTS).passed


def test_a_suite_that_does_not_parse_is_refused_with_the_line() -> None:
    (reason,) = check_suite("def test_x(:\n    pass\n", FACTS).reasons
    assert "not valid Python: line 1" in reason


def test_a_suite_that_tests_another_module_is_refused() -> None:
    (reason,) = check_suite(GOOD.replace("solution", "elsewhere"), FACTS).reasons
    assert "imports nothing from `solution`" in reason


def test_a_suite_that_uses_nothing_of_the_module_is_refused() -> None:
    (reason,) = check_suite("import solution\n\ndef test_x():\n    assert 1 + 1 == 2\n", FACTS).reasons
    assert "uses no name of it" in reason


def test_a_suite_without_tests_is_refused() -> None:
    (reason,) = check_suite("from solution import add\n\ndef check_sum():\n    assert add(1, 2) == 3\n", FACTS).reasons
    assert "has no test" in reason


def test_all_reasons_are_told_at_once() -> None:
    assert len(check_suite("x = 1\n", FACTS).reasons) == 2


def test_the_module_may_have_another_name() -> None:
    assert check_suite(GOOD.replace("solution", "limits"), SuiteFacts("limits")).passed


@given(st.text() | st.sampled_from(["(" * 5000, "\0", "f'{" * 200, GOOD + "\ud800"]))
def test_no_text_makes_the_gate_fail(text: str) -> None:
    assert isinstance(check_suite(text, FACTS).passed, bool)
