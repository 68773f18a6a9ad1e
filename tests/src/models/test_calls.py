"""Calls of tools: each is answered once, and what a model gets wrong is told to it."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall
from langchain_core.tools import ToolException, tool

from src.models.calls import answer_call, open_calls, refusal


@tool
def half(number: int) -> str:
    """Half of an even number."""
    if number % 2:
        raise ToolException(f"{number} is odd.")
    return str(number // 2)


def call(name: str = "half", place: str = "1", **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args, id=place, type="tool_call")


def test_a_call_is_open_until_it_is_answered_or_refused() -> None:
    first, second, third = (call(place=place, number=4) for place in "123")
    asked: list[AnyMessage] = [HumanMessage("go"), AIMessage("", tool_calls=[first, second, third])]
    assert open_calls(asked) == [first, second, third]
    assert open_calls([*asked, answer_call(first, [half]), refusal(third, "no")]) == [second]
    assert open_calls([HumanMessage("go")]) == []


def test_calls_of_earlier_answers_are_not_open_any_more() -> None:
    assert open_calls([AIMessage("", tool_calls=[call()]), HumanMessage("never mind"), AIMessage("Well.")]) == []


def test_an_answer_has_the_same_id_when_it_is_given_again() -> None:
    assert answer_call(call(number=4), [half]) == answer_call(call(number=4), [half])
    assert answer_call(call(number=4), [half]).content == "2"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (call("double", number=4), "There is no tool 'double'"),
        (call(number="four"), "cannot be made"),
        (call(number=3), "3 is odd"),
    ],
)
def test_what_a_model_gets_wrong_is_told_to_it(wrong: ToolCall, told: str) -> None:
    answer = answer_call(wrong, [half])
    assert answer.status == "error"
    assert told in str(answer.content)


def test_a_fault_of_the_tool_itself_is_none_of_the_models() -> None:
    @tool
    def broken() -> str:
        """Breaks."""
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk"):
        answer_call(call("broken"), [broken])
