"""The correction loop, used by an author that has nothing to do with code."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from src.gated import Correctable, GatedAuthor, Judgement, Trial, build_gated
from src.gates.verdict import Verdict


class LetterState(Correctable, total=False):
    """State of a letter writer."""

    subject: str
    letter: str
    accepted: str
    refused: list[str]
    weight: int


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


class Scales:
    """Weighs each letter by its length; only a light one may be sent."""

    def __init__(self, broken: int = 0) -> None:
        self.broken = broken
        self.weighed: list[str] = []

    def __call__(self, state: LetterState, *, runtime: Any) -> dict[str, int]:
        assert runtime is not None
        self.weighed.append(state["letter"])
        return {"weight": len(state["letter"])}

    def trial(self) -> Trial:
        return Trial(self, self.judge)

    def judge(self, state: LetterState) -> Judgement:
        if self.broken:
            self.broken -= 1
            raise OSError("the light went out")
        heavy = state["weight"] > 20
        return Judgement(Verdict(("too heavy",) if heavy else ()), {"refused": [state["letter"]]} if heavy else {})


def run(writer: Writer, max_corrections: int, trial: Trial | None = None) -> dict[str, Any]:
    give_up = {"accepted": "(none)"}
    author = GatedAuthor("letters", LetterState, LetterOutput, writer, judge, lambda _state: give_up, trial)
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


def test_what_the_gate_accepts_is_put_to_the_trial_and_goes_out() -> None:
    writer, scales = Writer("about snow", "about rain"), Scales()
    result = run(writer, 2, scales.trial())
    assert result["accepted"] == "about rain"
    assert scales.weighed == ["about rain"], "what the gate refuses is never measured"


def test_what_the_trial_refuses_goes_back_with_its_reasons_and_through_the_gate_again() -> None:
    heavy = "about rain, and rain, and rain"
    writer, scales = Writer(heavy, "about snow", "about rain"), Scales()
    assert run(writer, 2, scales.trial())["accepted"] == "about rain"
    assert writer.asked_with == [[], ["too heavy"], ["does not mention rain"]]
    assert scales.weighed == [heavy, "about rain"]


@pytest.mark.parametrize("max_corrections", [0, 1, 5])
def test_gate_and_trial_use_up_the_same_corrections(max_corrections: int) -> None:
    writer = Writer(*["about snow", "about rain, and rain, and rain"] * 100)
    result = run(writer, max_corrections, Scales().trial())
    assert result["accepted"] == "(none)"
    assert len(writer.asked_with) == 1 + max_corrections


def test_what_was_measured_is_not_measured_again_after_a_crash() -> None:
    writer, scales = Writer("about rain"), Scales(broken=1)
    author = GatedAuthor("letters", LetterState, LetterOutput, writer, judge, lambda _state: {}, scales.trial())
    outer: StateGraph[Any, Any, Any, Any] = StateGraph(LetterOutput)
    outer.add_node("letters", build_gated(author, max_corrections=0))
    outer.add_edge(START, "letters")
    graph = outer.compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "post"}}
    with pytest.raises(OSError, match="light"):
        graph.invoke({"subject": "rain"}, config, durability="sync")
    result = graph.invoke(None, config, durability="sync")
    assert result["accepted"] == "about rain"
    assert (len(writer.asked_with), len(scales.weighed)) == (1, 1)


def test_what_is_used_up_goes_to_somebody_stronger_before_it_is_given_up() -> None:
    def stronger(state: Any, context: Any, reasons: list[str]) -> dict[str, Any] | None:
        assert reasons == ["does not mention rain"]
        return {"weight": 1} if state.get("weight", 0) < context else None

    write = Writer("sun", "sun", "sun", "sun", "sun")
    author = GatedAuthor(
        "writer", LetterState, LetterOutput, write, judge, lambda _state: {"accepted": "no"}, escalate=stronger
    )
    box = build_gated(author, max_corrections=1, context=int)
    assert box.invoke({"subject": "rain"}, context=1)["accepted"] == "no"
    assert len(write.asked_with) == 4, "each of two is asked, and asked once again"
