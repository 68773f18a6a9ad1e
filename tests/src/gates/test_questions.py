"""Assumptions as neutral questions: what is called is told, what is expected never."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.gates.answers import agrees, demanded
from src.gates.demands import Demand
from src.gates.questions import answered, labelled_tests, questions_of

HEAD = "import pytest\nfrom solution import f, Box\n\n"
MARK = '@pytest.mark.assumption("a negative number is refused")\n'


def ask(body: str, marks: str = "", arguments: str = "", before: str = "") -> tuple[str, str]:
    """The question of a test with this body, and what its architect expects."""
    test = f"{MARK}{marks}def test_it({arguments}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    (question,) = questions_of(HEAD + before + test, "solution")
    return question.text, question.expected


@pytest.mark.parametrize(
    ("body", "text", "expected"),
    [
        ("assert f(-5) == '-101'", "What should `f(-5)` return or raise?", "returns '-101'"),
        ("assert '-101' == f(-5)", "What should `f(-5)` return or raise?", "returns '-101'"),
        ("result = f([])\nassert result is None", "What should `f([])` return or raise?", "returns None"),
        (
            "with pytest.raises(ValueError, match='n'):\n    f(-5)",
            "What should `f(-5)` return or raise?",
            "raises ValueError",
        ),
        (
            "box = Box(2)\nbox.put(1)\nassert box.take() == 1",
            "After `box = Box(2); box.put(1)`: what should `box.take()` return or raise?",
            "returns 1",
        ),
        ("assert f(1) == pytest.approx(0.3)", "What should `f(1)` return or raise?", "returns about 0.3"),
        ("assert isinstance(f(1), int)", "What should `f(1)` return or raise?", "returns a value of type int"),
        ("assert len(f('a')) <= 3", "What should `len(f('a'))` return or raise?", "returns a value that is <= 3"),
        ("assert not f('')", "What should `f('')` return or raise?", "returns False"),
        (
            "for n in (-1, -2):\n    assert f(n) == 0",
            "What should each of `f(-1)`, `f(-2)` return or raise?",
            "returns 0",
        ),
    ],
)
def test_a_question_says_what_is_called_and_not_what_is_expected(body: str, text: str, expected: str) -> None:
    assert ask(body) == (text, expected)


def test_rows_constants_and_fixtures_are_filled_in() -> None:
    rows = '@pytest.mark.parametrize("n, told", [(-1, "a"), pytest.param(LOW, "b")])\n'
    text, expected = ask("assert f(n) == told", rows, "n, told", "LOW = -9\n")
    assert text == "What should each of `f(-1)`, `f(-9)` return or raise?"
    assert expected == "f(-1) returns 'a'; f(-9) returns 'b'"
    fixture = "@pytest.fixture\ndef box():\n    return Box(1)\n\n"
    text, _ = ask("assert box.take() is None", arguments="box", before=fixture)
    assert text == "After `box = Box(1)`: what should `box.take()` return or raise?"


@pytest.mark.parametrize("body", ["assert f(1).startswith('secret')", "said = f(1)\nassert said.startswith('secret')"])
def test_a_check_of_a_text_is_not_told(body: str) -> None:
    text, expected = ask(body)
    assert text == "What should `f(1)` return or raise?"
    assert "secret" in expected


def test_tests_of_one_assumption_are_one_question() -> None:
    suite = HEAD + "".join(f"{MARK}def test_{n}():\n    assert f(-{n}) == 0\n\n" for n in (1, 2))
    (question,) = questions_of(suite, "solution")
    assert question.tests == ("test_1", "test_2")
    assert question.calls == {"Q1.1": "f(-1)", "Q1.2": "f(-2)"}


def test_a_question_is_answered_when_all_its_calls_are() -> None:
    suite = HEAD + MARK + "def test_a():\n    assert f(-1) == 1\n    assert f(-2) == 2\n"
    (question,) = questions_of(suite, "solution")
    assert not answered(question, "returns 1")
    assert answered(question, question.expected)


@pytest.mark.parametrize(
    ("answer", "kind", "wanted", "same"),
    [
        ("returns `[1, 2]`", "value", "[1, 2]", True),
        ("[1, 2]", "value", "[1,2]", True),
        ("it should return 3.", "value", "3", True),
        ("returns 15", "value", "1.5", False),
        ("returns 'a'", "value", "'A'", False),
        ("-101", "value", "'-101'", False),
        ("returns True", "value", "1", False),
        ("returns IV", "value", "'IV'", True),
        ("raises ValueError", "value", "'ValueError'", False),
        ("raises a `ValueError`", "raises", "ValueError", True),
        ("KeyError", "raises", "LookupError", True),
        ("raises TypeError", "raises", "ValueError", False),
        ("raises box.Empty", "raises", "Empty", False),
        ("raises TypeError", "raises", "ValueError, TypeError", True),
        ("returns None", "raises", "ValueError", False),
        ("0.30000000001", "about", "0.3", True),
        ("returns 5", "type", "int", True),
        ("", "value", "''", False),
        ("something", "text", "f(1).startswith('s')", False),
        ("returns " + "(" * 400, "value", "1", False),
    ],
)
def test_answers_are_compared_as_values_and_by_the_names_of_exceptions(
    answer: str, kind: str, wanted: str, same: bool
) -> None:
    assert agrees(answer, Demand("f()", kind, wanted)) is same  # type: ignore[arg-type]  # a kind


def test_the_tests_to_label_are_shown_without_their_marker() -> None:
    suite = HEAD + '@pytest.mark.request("words")\n@pytest.mark.slow\ndef test_a():\n    assert f(1) == 2\n'
    suite += '\n@pytest.mark.example("words")\ndef test_b():\n    assert f(2) == 3\n'
    (labelled,) = labelled_tests(suite)
    assert (labelled.id, labelled.test) == ("T1", "test_a")
    assert labelled.source == "@pytest.mark.slow\ndef test_a():\n    assert f(1) == 2"


@given(st.text(), st.sampled_from(["value", "about", "truth", "type", "raises", "text", "compared"]), st.text())
def test_no_answer_makes_the_comparison_fail(answer: str, kind: str, wanted: str) -> None:
    demand = Demand("f()", kind, wanted, "<")  # type: ignore[arg-type]  # a kind
    assert agrees(answer, demand) in (True, False)
    assert isinstance(demanded(demand), str)
