"""What an amended suite may change, and when it may demand less."""

# ruff: noqa: E501 - a case is one line

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.amendment import AmendmentFacts, amend, excerpt_of
from src.gates.source import found_tests, parse
from src.gates.strength import strength_of

SUITE = '''"""Sums."""

import pytest

from solution import add

CASES = [
    (1, 2, 4),  # the wrong one
    (0, 0, 0),
]
ZERO = 0


@pytest.fixture
def one():
    return 1


@pytest.mark.request("adds")
def test_small(one):
    assert add(one, 2) == 4
    assert add(2, one) == 4


@pytest.mark.parametrize("a, b, total", CASES)
def test_cases(a, b, total):
    assert add(a, b) == total


class TestZero:
    number = 0

    def test_left(self):
        assert add(ZERO, 1) == 1

    def test_right(self):
        assert add(1, self.number) == 2  # wrong
'''
SPECS = "`add(a, b)` returns the **sum** of both.\n\nIt never raises: text counts as zero.\n"
SMALL = '@pytest.mark.request("adds")\ndef test_small(one):\n    assert add(one, 2) == 3\n    assert add(2, one) == 3\n'


def facts(*disputed: str) -> AmendmentFacts:
    return AmendmentFacts(SUITE, disputed or ("test_small",), SPECS, "solution")


def refused(answer: str, *disputed: str, contradiction: str = "") -> str:
    reasons = amend(answer, contradiction, facts(*disputed)).verdict.reasons
    assert reasons
    return " ".join(reasons)


def test_the_disputed_test_is_replaced_and_everything_else_stays_word_for_word() -> None:
    amendment = amend(SMALL, "", facts())
    assert amendment.verdict.passed
    assert amendment.tests == SUITE.replace("2) == 4", "2) == 3").replace("one) == 4", "one) == 3")


def test_the_whole_suite_may_be_sent_as_well() -> None:
    whole = ast.unparse(ast.parse(SUITE.replace("2) == 4", "2) == 3").replace("one) == 4", "one) == 3")))
    amendment = amend(whole, "", facts())
    assert amendment.verdict.passed
    assert "# the wrong one" in amendment.tests, "what is not disputed keeps its comments"


@pytest.mark.parametrize(
    "answer",
    [
        "class TestZero:\n    def test_right(self):\n        assert add(1, self.number) == 1\n",
        "class TestZero:\n  def test_right(self):\n    assert add(1, self.number) == 1\n",
        "def test_right(self):\n    assert add(1, self.number) == 1\n",
    ],
)
def test_a_method_is_replaced_in_its_class_whatever_shape_it_comes_in(answer: str) -> None:
    amendment = amend(answer, "", facts("TestZero::test_right"))
    assert amendment.verdict.passed
    assert ast.dump(ast.parse(amendment.tests)) == ast.dump(ast.parse(SUITE.replace("number) == 2", "number) == 1")))


def test_rows_that_the_disputed_test_alone_uses_belong_to_it() -> None:
    amendment = amend("CASES = [\n    (1, 2, 3),\n    (0, 0, 0),\n]\n" + _cases(), "", facts("test_cases"))
    assert amendment.verdict.passed
    assert "(1, 2, 3)," in amendment.tests
    assert "fewer cases" in refused("CASES = [\n    (0, 0, 0),\n]\n" + _cases(), "test_cases")


def _cases() -> str:
    return (
        '@pytest.mark.parametrize("a, b, total", CASES)\ndef test_cases(a, b, total):\n    assert add(a, b) == total\n'
    )


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("def test_more():\n    assert add(1, 1) == 2\n", "adds a test `test_more`"),
        (_cases().replace("== total", ">= total"), "changes `test_cases`, which is not disputed"),
        ("ZERO = 1\n", "`ZERO = 1`"),
        ("CASES = []\n", "`CASES = []`"),
        ("def add(a, b):\n    return 3\n", "`def add(a, b):`"),
        ("class TestZero:\n    number = 1\n\n    def test_left(self):\n        assert add(ZERO, 1) == 1\n", "`number = 1`"),
        ("from operator import add\n", "gives a name of the suite another meaning"),
        ("from math import fsum as len\n", "gives a name of the suite another meaning"),
        ("from solution import subtract\n", "demands a name that the suite did not demand"),
    ],
)  # fmt: skip
def test_nothing_else_may_be_changed(more: str, told: str) -> None:
    assert told in refused(f"{more}\n\n{SMALL}")


def test_an_import_may_be_added() -> None:
    amendment = amend("import math\nimport pytest\n\n" + SMALL.replace("== 3\n", "== math.fsum([1, 2])\n"), "", facts())
    assert amendment.verdict.passed
    assert "from solution import add\nimport math\n" in amendment.tests


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("    assert add(one, 2) == 3\n", "fewer assertions than before"),
        ("    assert add(one, 2) > 0\n    assert add(2, one) > 0\n", "demand an exact value"),
        ("    assert add(one, 2) == 3\n    assert True or add(2, one) == 3\n", "demand an exact value"),
        ("    if one:\n        assert add(one, 2) == 3\n    assert add(2, one) == 3\n", "outside conditions"),
        (
            "    try:\n        assert add(one, 2) == 3\n        assert add(2, one) == 3\n    except Exception:\n        pass\n",
            "outside conditions",
        ),
    ],
)
def test_a_test_may_not_demand_less(body: str, told: str) -> None:
    assert told in refused(f"def test_small(one):\n{body}")


def test_a_test_may_not_be_taken_out() -> None:
    whole = SUITE.replace(SUITE[SUITE.index("@pytest.mark.request") : SUITE.index("@pytest.mark.parametrize")], "")
    assert "`test_small` is taken out" in refused(whole)
    amendment = amend(whole, 'It says "text counts as zero", so nothing is left to test here.', facts())
    assert amendment.verdict.passed
    assert "test_small" not in amendment.tests


WEAK = "def test_small(one):\n    assert add(one, 2) == 3\n"


@pytest.mark.parametrize(
    "contradiction",
    [
        "The specification says “the SUM of both”, so one assertion contradicts the other.",
        "> returns the sum of both\n\nThe second assertion is about something else.",
    ],
)
def test_it_may_demand_less_when_the_specification_contradicts_it(contradiction: str) -> None:
    assert amend(WEAK, contradiction, facts()).verdict.passed


@pytest.mark.parametrize(
    ("contradiction", "told"),
    [
        ("", "quote its words under CONTRADICTION"),
        ("The specification contradicts this test in every way.", "does not occur in the specification"),
        ('It says "the product of both", so this is wrong.', "does not occur in the specification"),
        ('"returns the sum of both"', "does not say how"),
        ('It says "returns the su", so this is wrong.', "does not occur in the specification"),
    ],
)
def test_a_contradiction_quotes_the_specification_and_says_how(contradiction: str, told: str) -> None:
    assert told in refused(WEAK, contradiction=contradiction)


def test_no_contradiction_lets_another_test_be_touched() -> None:
    other = _cases().replace("== total", ">= total")
    assert "not disputed" in refused(
        SMALL + "\n\n" + other, contradiction='It says "returns the sum of both", which is more.'
    )


def test_an_amendment_that_changes_nothing_is_no_amendment() -> None:
    assert "No disputed test is changed" in refused(SMALL.replace("3", "4"))


def test_the_architect_is_shown_the_disputed_tests_and_what_they_share() -> None:
    shown = excerpt_of(SUITE, ["test_small"])
    assert "def one()" in shown
    assert '@pytest.mark.request("adds")' in shown
    assert "test_cases" not in shown
    assert "test_left" not in shown


def test_depth_is_refused_and_does_not_end_the_run() -> None:
    deep = "def test_small(one):\n    assert add(1, 2) == " + "-" * 900 + "3\n"
    amend(deep, "", facts())


@settings(max_examples=60)
@given(
    st.text(alphabet=st.sampled_from("def test_small(one):\n    asrt=1'\"#\\\t@[]"), max_size=200), st.text(max_size=60)
)
def test_no_answer_makes_it_fail_or_touch_what_is_not_disputed(answer: str, contradiction: str) -> None:
    amendment = amend(answer, contradiction, facts())
    if amendment.verdict.passed:
        assert _others(amendment.tests) == _others(SUITE)


def _others(suite: str) -> list[str]:
    tree = parse(suite)
    assert isinstance(tree, ast.Module)
    return [ast.dump(test.function) for test in found_tests(tree) if test.name != "test_small"]


def test_what_a_test_demands_is_counted() -> None:
    source = """
@pytest.mark.parametrize("a", [1, 2, 3])
def test_it(a, mock):
    with pytest.raises(ValueError):
        f(a)
    mock.assert_called_once()
    for b in (1, 2):
        assert f(b) == a
"""
    (test,) = found_tests(ast.parse(source))
    strength = strength_of(test.function)
    assert (strength.assertions, strength.certain, strength.exact, strength.cases) == (3, 3, 3, 5)
