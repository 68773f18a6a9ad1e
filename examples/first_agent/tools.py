"""What the first agent can do. A tool is a function; its signature and docstring are what the model reads."""

from collections.abc import Sequence
from datetime import UTC, datetime

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from pydantic import ValidationError

REPORTS = {"oslo": "4 °C, rain", "rome": "17 °C, clear", "lima": "22 °C, overcast"}
"""Stands for a weather service: the example runs without a network."""


@tool
def weather(city: str) -> str:
    """The weather in a city, now."""
    known = ", ".join(name.title() for name in REPORTS)
    return f"{city}: {REPORTS.get(city.strip().lower(), f'no report; there are reports of {known}')}"


@tool
def utc_time() -> str:
    """The time now, in UTC."""
    return f"{datetime.now(UTC):%H:%M} UTC"


@tool
def multiply(a: int, b: int) -> str:
    """The product of two whole numbers."""
    return f"{a} x {b} = {a * b}"


@tool
def book_table(restaurant: str, people: int, time: str) -> str:
    """Book a table for this evening. It costs money when nobody comes."""
    return f"Booked: {restaurant}, {people} people, {time}."


def open_calls(messages: Sequence[AnyMessage]) -> list[ToolCall]:
    """The calls of the last message of a model that no tool has answered yet."""
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    last = next((message for message in reversed(messages) if isinstance(message, AIMessage)), None)
    return [call for call in last.tool_calls if call["id"] not in answered] if last else []


def answer_call(call: ToolCall, tools: Sequence[BaseTool]) -> ToolMessage:
    """What a tool says to a call. What a model gets wrong is told to the model; it ends no run."""
    wanted = next((one for one in tools if one.name == call["name"]), None)
    if wanted is None:
        return refusal(call, f"There is no tool {call['name']!r}.")
    try:
        said = wanted.invoke(call["args"])
    except (ValidationError, ToolException) as error:
        return refusal(call, f"The call cannot be made: {error}")
    return ToolMessage(said, tool_call_id=call["id"], name=call["name"], id=f"answer-{call['id']}")


def refusal(call: ToolCall, why: str) -> ToolMessage:
    """The message in place of an answer: every call must have one, or the conversation is no conversation any more."""
    return ToolMessage(why, tool_call_id=call["id"], name=call["name"], id=f"answer-{call['id']}", status="error")
