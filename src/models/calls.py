"""Calls of tools: which are still open, and what is answered to them."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from pydantic import ValidationError


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
