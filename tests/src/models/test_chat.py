"""The assistant's model against a server that speaks OpenAI's protocol, tools included, and who is chosen to answer."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import BaseModel

from src.config import Settings
from src.errors import ConfigurationError
from src.models.assistants import choose_chat
from src.models.chat import open_chat_model
from src.models.faults import AuthenticationFault, ServerFault
from src.setting_types import BorrowingSettings, RoleSettings
from tests.chat_server import Answer, ChatServer, calling


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"{city}: 5 degrees"


@contextmanager
def served(*replies: Answer) -> Iterator[tuple[ChatServer, Settings]]:
    with ChatServer({"assistant": replies}) as server:
        yield server, settings(openai_base_url=f"http://127.0.0.1:{server.server_port}/v1")
        server.shutdown()


def settings(**given: Any) -> Settings:
    tier = BorrowingSettings(model="openai:assistant", thinking_level="default")
    chosen = {"assistant": tier, "model_attempts": 1, **given}
    return Settings(_env_file=None, **chosen)  # type: ignore[call-arg]  # a settings source, not a field


pytestmark = pytest.mark.usefixtures("clean_environment")


def test_a_model_calls_a_tool_and_answers_with_what_it_found() -> None:
    with served(calling("weather", city="Oslo"), "5 degrees in Oslo.") as (server, chosen):
        model = open_chat_model(chosen)
        bound = model.bind_tools([weather])
        asked = HumanMessage("How is it in Oslo?")
        call = bound.invoke([asked])
        assert call.tool_calls == [
            {"name": "weather", "args": {"city": "Oslo"}, "id": "call-weather", "type": "tool_call"}
        ]
        found: ToolMessage = weather.invoke(call.tool_calls[0])
        assert bound.invoke([asked, call, found]).content == "5 degrees in Oslo."
    assert server.requests[0]["tools"][0]["function"]["name"] == "weather"
    sent = server.requests[1]["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "tool"]
    assert sent[1]["tool_calls"][0]["function"] == {"name": "weather", "arguments": '{"city": "Oslo"}'}
    assert [(usage.input_tokens, usage.output_tokens) for usage in model.used] == [(100, 50)] * 2


@pytest.mark.parametrize("given", ["call-weather", None])
def test_calls_without_an_id_of_their_own_get_one(given: str | None) -> None:
    call = calling("weather", city="Oslo")
    call["tool_calls"] = [{**call["tool_calls"][0], "id": given}] * 2
    with served(call) as (_, chosen):
        bound = open_chat_model(chosen).bind_tools([weather])
        first = bound.invoke("Oslo?")
        again = bound.invoke(
            [HumanMessage("Oslo?"), first, *map(weather.invoke, first.tool_calls), HumanMessage("and now?")]
        )
    ids = {call["id"] for message in (first, again) for call in message.tool_calls}
    assert len(ids) == 4
    assert all(ids)


class Order(BaseModel):
    """An order."""

    number: int


def test_structured_output_is_asked_for_as_a_tool_that_must_be_called() -> None:
    with served(calling("Order", number=7)) as (server, chosen):
        assert open_chat_model(chosen).with_structured_output(Order).invoke("Where is 7?") == Order(number=7)
    assert server.requests[0]["tool_choice"] == "required"


class Listening(BaseCallbackHandler):
    """Counts the calls that it is told of."""

    def __init__(self) -> None:
        self.calls = 0

    def on_chat_model_start(self, *_args: Any, **_kwargs: Any) -> None:
        self.calls += 1


def test_a_call_within_a_graph_is_told_once() -> None:
    listening = Listening()
    with served("Hello.") as (server, chosen):
        model = open_chat_model(chosen)
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
        graph.add_edge(START, "model")
        graph.compile().invoke({"messages": [HumanMessage("hello")]}, {"callbacks": [listening]})
    assert listening.calls == server.asked.total() == 1


@pytest.mark.parametrize(("status", "fault"), [(401, AuthenticationFault), (503, ServerFault)])
def test_a_refusal_is_a_fault_of_ours(status: int, fault: type[Exception]) -> None:
    with served(status) as (_, chosen), pytest.raises(fault, match="assistant"):
        open_chat_model(chosen).invoke("hello")


def test_calls_of_a_reply_that_was_cut_are_not_made() -> None:
    cut = {**calling("weather", city="Os"), "finish_reason": "length"}
    with served(cut) as (_, chosen):
        reply = open_chat_model(chosen).bind_tools([weather]).invoke("Oslo?")
    assert reply.tool_calls == []
    assert [call["error"] for call in reply.invalid_tool_calls] == ["the reply was cut"]


def test_what_comes_back_can_be_saved_whatever_it_holds() -> None:
    odd = calling("weather", city="\ud800")
    with served(odd) as (_, chosen):
        reply = open_chat_model(chosen).bind_tools([weather]).invoke([HumanMessage("and \udfff?")])
    assert reply.tool_calls[0]["args"] == {"city": "?"}
    json.dumps(reply.model_dump()).encode()


def test_gemini_is_asked_in_its_own_protocol(
    provider: Any, answer: Callable[..., None], gemini_reply: Callable[..., dict[str, Any]]
) -> None:
    part = {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}, "thoughtSignature": "c2ln"}
    answer(body=gemini_reply(part))
    answer(body=gemini_reply({"text": "5 degrees."}))
    chosen = settings(
        assistant=BorrowingSettings(model="gemini-3.7-flash"), GEMINI_API_KEY="k" * 20, gemini_base_url=provider.url
    )
    bound = open_chat_model(chosen).bind_tools([weather])
    reply = bound.invoke("Oslo?")
    assert [(call["name"], call["args"]) for call in reply.tool_calls] == [("weather", {"city": "Oslo"})]
    found: ToolMessage = weather.invoke(reply.tool_calls[0])
    assert bound.invoke([HumanMessage("Oslo?"), reply, found]).text == "5 degrees."
    sent = json.dumps(provider.requests[1].body)
    assert "c2ln" in sent, "Gemini wants its signature back"
    assert "functionResponse" in sent


def test_what_the_assistant_is_not_given_is_the_developers() -> None:
    coder = RoleSettings(model="openai:coder", thinking_level="high", max_tokens=77)
    chosen = settings(
        coder=coder, assistant=BorrowingSettings(temperature=0.5), openai_base_url="http://localhost:9/v1"
    )
    tier = open_chat_model(chosen).tier
    assert (tier.model, tier.thinking_level, tier.temperature, tier.max_tokens) == ("coder", "high", 0.5, 77)


def test_a_level_that_the_model_does_not_know_names_the_assistants_variable() -> None:
    tier = BorrowingSettings(model="openai:gpt-4o", thinking_level="high")
    with pytest.raises(ConfigurationError, match="ASSISTANT_THINKING_LEVEL=high"):
        open_chat_model(settings(assistant=tier, openai_api_key="k" * 20))


SCRIPT = '{"script": 1}\n{"who": "agent", "reply": "scripted"}\n'


def test_without_a_key_the_script_answers_and_says_what_would_be_needed(tmp_path: Path) -> None:
    (tmp_path / "script.jsonl").write_text(SCRIPT)
    cast = choose_chat(settings(assistant=BorrowingSettings()), tmp_path / "script.jsonl")
    assert cast.scripted
    assert "GEMINI_API_KEY" in cast.told
    assert cast.chat("agent").invoke("hello").content == "scripted"
    assert cast.spent() == ""
    with pytest.raises(ConfigurationError, match="GEMINI_API_KEY"):
        open_chat_model(settings(assistant=BorrowingSettings()))


def test_with_a_key_the_model_answers_unless_the_script_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "script.jsonl").write_text(SCRIPT)
    with served("real") as (server, chosen):
        assert (
            choose_chat(chosen, tmp_path / "script.jsonl", replay=True).chat("agent").invoke("x").content == "scripted"
        )
        assert server.asked.total() == 0
        cast = choose_chat(chosen, tmp_path / "script.jsonl")
        assert cast.chat("agent").invoke("hello").content == "real"
    assert "assistant" in cast.told
    assert cast.spent() == "1 call to the model, 100 tokens read, 50 written, cost unknown."


def test_a_script_that_is_asked_for_needs_no_tier(tmp_path: Path) -> None:
    (tmp_path / "script.jsonl").write_text(SCRIPT)
    wrong = settings(assistant=BorrowingSettings(model="antropic:some-model"))
    assert choose_chat(wrong, tmp_path / "script.jsonl", replay=True).scripted
    with pytest.raises(ConfigurationError, match="ASSISTANT_MODEL"):
        choose_chat(wrong, tmp_path / "script.jsonl")
