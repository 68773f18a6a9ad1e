"""The correction loop, used by an author that has nothing to do with code."""

from typing import Any

import pytest

from src.gated import Correctable, GatedAuthor, Judgement, build_gated
from src.gates.verdict import Verdict


class LetterState(Correctable, total=False):
    """State of a letter writer."""

    subject: str
    letter: str
    accepted: str
    refused: list[str]


class LetterOutput(LetterState, total=False):
    """What the box hands out; a real one would be narrower."""


class Writer:
    """Answers from a list and remembers with which reasons it was asked."""

    def __init__(self, *letters: str) -> None:
        self.letters = list(letters)
        self.asked_with: list[list[str]] = []

    def __call__(self, state: LetterState, *, runtime: Any) -> dict[str, str]:
        assert runtime is not None
        self.asked_with.append(state.get("reasons", []))
        return {"letter": self.letters[len(self.asked_with) - 1]}


def judge(state: LetterState) -> Judgement:
    if state["subject"] in state["letter"]:
        return Judgement(Verdict(), {"accepted": state["letter"]})
    return Judgement(Verdict((f"does not mention {state['subject']}",)), {"refused": [state["letter"]]})


def run(writer: Writer, max_corrections: int) -> dict[str, Any]:
    author = GatedAuthor("letters", LetterState, LetterOutput, writer, judge, lambda _state: {"accepted": "(none)"})
    box = build_gated(author, max_corrections=max_corrections)
    result: dict[str, Any] = box.invoke({"subject": "rain"}, {"recursion_limit": 100})
    return result


def test_an_accepted_text_goes_straight_out() -> None:
    writer = Writer("about rain")
    assert run(writer, 2)["accepted"] == "about rain"
    assert writer.asked_with == [[]]


def test_a_refused_author_is_asked_again_with_the_reasons() -> None:
    writer = Writer("about snow", "about rain")
    result = run(writer, 2)
    assert result["accepted"] == "about rain"
    assert result["refused"] == ["about snow"]
    assert writer.asked_with == [[], ["does not mention rain"]]


@pytest.mark.parametrize("max_corrections", [0, 1, 5])
def test_the_loop_ends_by_its_own_counter(max_corrections: int) -> None:
    writer = Writer(*["about snow"] * 100)
    assert run(writer, max_corrections)["accepted"] == "(none)"
    assert len(writer.asked_with) == 1 + max_corrections
