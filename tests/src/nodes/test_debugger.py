"""What the debugger is sent: everything once, bounded, what stays the same first."""

from typing import Any

import pytest

from sandbox.fake import failing_report
from src.failures.history import failure_of
from src.nodes.author import AuthorState
from src.nodes.debugger import messages_to
from src.state import Best

REQUEST = "Write f(n).\n\nExample:\n    f(2) == 4"
SUITE = """\
import pytest
from solution import f


@pytest.mark.example("f(2) == 4")
def test_two():
    assert f(2) == 4


@pytest.mark.assumption("f(0) is 0")
def test_zero():
    assert f(0) == 0


@pytest.mark.assumption("a negative n is doubled too")
def test_negative():
    assert f(-1) == -2
"""


def state(*failures: str, **changes: Any) -> AuthorState:
    """A run whose candidates failed as `failures` tell, every one in another way."""
    report = failing_report(["test_two", "test_zero", "test_negative"], message="assert 3 == 4").model_dump()
    now: AuthorState = AuthorState(
        module_name="solution",
        user_request=REQUEST,
        specs="",
        tests=SUITE,
        code="def f(n): return 3\n",
        test_results=report,
        iteration=len(failures),
        max_disputes=2,
        debug_history=list(failures),
        failures=[],
    )
    red = Best(code=now["code"], test_results=report, iteration=0)
    now["failures"] = [failure_of(now, red, [])]
    return AuthorState(**{**now, **changes})  # type: ignore[typeddict-item]  # keys of the state


def told(*failures: str, **changes: Any) -> str:
    (_, _fixed), (_, human) = messages_to(state(*failures, **changes))
    return human


def test_what_the_specification_repeats_of_the_request_is_told_once() -> None:
    human = told(specs="Example:\n    f(2) == 4\n\nf doubles n.")
    assert human.count("f(2) == 4\n") == 2, "in the request and in the test"
    assert "<specification>\nf doubles n.\n</specification>" in human
    assert "specification" not in told(specs=REQUEST)


def test_what_a_failing_test_rests_on_stands_beside_its_name_and_the_marker_is_left_out() -> None:
    human = told()
    assert "FAILED test_two (example): assert 3 == 4" in human
    assert "FAILED test_zero (assumption: f(0) is 0), test_negative (assumption: a negative n is doubled too)" in human
    assert "@pytest.mark" not in human


def test_an_earlier_diagnosis_is_told_in_a_line() -> None:
    human = told("Iteration 1: " + "a long story\n" * 100)
    (line,) = [line for line in human.splitlines() if "a long story" in line]
    assert len(line) < 170


@pytest.mark.parametrize("answer", ["the architect kept them: As asked.", "they were kept, since no amendment passed"])
def test_of_a_dispute_the_answer_is_told_however_long_the_claim_was(answer: str) -> None:
    assert answer in told("Iteration 1: test_two disputed: 1 → 2 " + "so it is wrong " * 100 + f" → {answer}")


def test_a_rewrite_is_shown_the_suite_once_and_not_the_module() -> None:
    twice = state()
    same = [*twice["failures"], {**twice["failures"][0], "id": "another"}]
    human = told(failures=same)
    assert human.count("assert f(2) == 4") == 1
    assert "(example)" in human
    assert "return 3" not in human
