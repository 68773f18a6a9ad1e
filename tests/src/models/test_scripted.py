"""Agents that call tools run offline: each reply is found by who is asked and by what was said last."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from pydantic import BaseModel

from src.errors import ConfigurationError, ReplayExhausted
from src.models.faults import RateLimitFault
from src.models.scripted import ScriptedChat, load_script

HEADER = {"script": 1, "title": "a test"}


def script(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (HEADER, *lines)), encoding="utf-8")
    return path


def chat(folder: Path, *lines: dict[str, Any], who: str = "agent") -> ScriptedChat:
    return ScriptedChat(who=who, replies=load_script(script(folder, *({"who": "agent", **line} for line in lines))))


def test_the_reply_is_found_by_what_was_said_last_in_whatever_order(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "Oslo", "reply": "Cold."}, {"when": "Rome", "reply": "Warm."})
    assert model.invoke("And in Rome?").content == "Warm."
    assert model.invoke("How is it in Oslo?").content == "Cold."


def test_a_message_of_a_tool_is_answered_and_may_be_repeated(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "degrees", "reply": "It says: $said."}, {"reply": "What?"})
    found: list[BaseMessage] = [HumanMessage("Oslo?"), ToolMessage("5 degrees", tool_call_id="1"), SystemMessage("x")]
    assert model.invoke(found).content == "It says: 5 degrees."


def test_what_is_said_word_for_word_counts_before_what_holds_it(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "yes", "reply": "part"}, {"when": "yesterday", "reply": "whole"})
    assert model.invoke("yesterday").content == "whole"


def test_only_the_one_who_is_asked_answers(tmp_path: Path) -> None:
    lines = [{"who": "agent", "reply": "mine"}, {"who": "supervisor", "reply": "yours"}]
    assert chat(tmp_path, *lines, who="supervisor").invoke("hello").content == "yours"


def test_replies_to_the_same_words_follow_the_conversation_and_not_a_counter(tmp_path: Path) -> None:
    lines = [{"when": "again", "reply": "first"}, {"when": "again", "reply": "second"}]
    begun: list[BaseMessage] = [HumanMessage("again")]
    first = chat(tmp_path, *lines).invoke(begun)
    assert first.content == chat(tmp_path, *lines).invoke(begun).content == "first"
    assert chat(tmp_path, *lines).invoke([*begun, first, HumanMessage("again")]).content == "second"


def test_what_other_replies_answered_does_not_count(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "Oslo", "reply": "Cold."}, {"when": "", "reply": "Pardon?"})
    first = model.invoke("Oslo?")
    assert model.invoke([HumanMessage("Oslo?"), first, HumanMessage("hm")]).content == "Pardon?"


def test_the_last_of_several_replies_may_answer_as_often_as_it_is_asked(tmp_path: Path) -> None:
    model = chat(tmp_path, {"reply": "first"}, {"reply": "ever after", "again": True})
    said: list[BaseMessage] = []
    for _ in range(3):
        said += [HumanMessage("go"), model.invoke([*said, HumanMessage("go")])]
    assert [message.content for message in said[1::2]] == ["first", "ever after", "ever after"]


def test_a_script_that_has_no_answer_says_what_was_said(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "again", "reply": "once"})
    with pytest.raises(ReplayExhausted, match="agent to 'something else'"):
        model.invoke("something else")
    with pytest.raises(ReplayExhausted, match="no further reply of agent to 'again': it holds 1"):
        model.invoke([HumanMessage("again"), AIMessage("once"), HumanMessage("again")])


def test_calls_of_tools_have_ids_that_are_the_same_in_every_process(tmp_path: Path) -> None:
    line = {"when": "Oslo", "tool_calls": [{"name": "weather", "args": {"city": "Oslo"}}, {"name": "time"}]}
    asked, again = (chat(tmp_path, line).invoke("Oslo?") for _ in range(2))
    assert [(call["name"], call["args"]) for call in asked.tool_calls] == [("weather", {"city": "Oslo"}), ("time", {})]
    assert (asked.id, asked.tool_calls) == (again.id, again.tool_calls)
    assert len({call["id"] for call in asked.tool_calls} | {asked.id}) == 3
    assert chat(tmp_path, line).invoke("Oslo!").id != asked.id


def test_tools_are_kept_by_the_model_that_is_bound_to_them(tmp_path: Path) -> None:
    @tool
    def weather(city: str) -> str:
        """The weather in a city."""
        return city

    bound: Any = chat(tmp_path, {"reply": "Hello."}).bind_tools([weather])
    assert [one["function"]["name"] for one in bound.kwargs["tools"]] == ["weather"]
    assert bound.invoke("hello").content == "Hello."


class Order(BaseModel):
    """An order."""

    number: int


def test_structured_output_is_a_call_of_its_class(tmp_path: Path) -> None:
    model = chat(tmp_path, {"when": "7", "tool_calls": [{"name": "Order", "args": {"number": 7}}]})
    assert model.with_structured_output(Order).invoke("Where is 7?") == Order(number=7)


def test_usage_and_faults_can_be_scripted(tmp_path: Path) -> None:
    usage = {"input_tokens": 3, "output_tokens": 2}
    model = chat(
        tmp_path,
        {"when": "fail", "error": {"kind": "rate_limit", "message": "too fast"}},
        {"reply": "fine", "usage": usage},
    )
    assert model.invoke("go").usage_metadata == {**usage, "total_tokens": 5}
    with pytest.raises(RateLimitFault, match="too fast"):
        model.invoke("fail")


@pytest.mark.parametrize("line", [{"who": "agent"}, {"reply": "x"}, {"who": "agent", "reply": "x", "tool": "y"}])
def test_a_wrong_line_is_named(tmp_path: Path, line: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="line 2"):
        load_script(script(tmp_path, line))


def test_a_transcript_of_the_team_is_no_script(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text('{"transcript": 1, "kind": "scripted"}\n')
    with pytest.raises(ConfigurationError, match="line 1"):
        load_script(path)
