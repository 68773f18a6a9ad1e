"""The loop of model and tools: what goes through it, and what ends it."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from examples.first_agent.loop import MAX_ROUNDS, QUESTION, build_loop, talk
from src.models.calls import open_calls
from src.models.scripted import ScriptedChat


def test_a_question_is_answered_with_what_the_tools_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert talk(replay=True) == 0
    lines = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["Scripted", "you", "model", "tools", "tools", "model"]


def test_each_node_returns_only_what_is_new(scripted: ScriptedChat) -> None:
    steps = list(build_loop(scripted).stream({"messages": [HumanMessage(QUESTION)]}, stream_mode="updates"))
    assert [(node, len(update["messages"])) for step in steps for node, update in step.items()] == [
        ("model", 1),
        ("tools", 2),
        ("model", 1),
    ]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("weather", {"city": "Atlantis"}), "no report"),
        (("weather", {"town": "Oslo"}), "cannot be made"),
        (("launch", {}), "There is no tool 'launch'"),
    ],
)
def test_a_call_that_cannot_be_made_is_told_to_the_model(
    answering: Callable[..., ScriptedChat], call: tuple[str, dict[str, Any]], told: str
) -> None:
    chat = answering({"hello": [call], told: "I see."})
    messages = build_loop(chat).invoke({"messages": [HumanMessage("hello")]})["messages"]
    assert isinstance(messages[-2], ToolMessage)
    assert messages[-1].content == "I see."


class Insatiable(BaseChatModel):
    """Calls a tool whatever it is told, even where it has none."""

    @property
    def _llm_type(self) -> str:
        return "insatiable"

    def bind_tools(self, tools: Any, **_kwargs: Any) -> Any:
        return self.bind(tools=len(tools))

    def _generate(self, messages: Any, *_args: Any, **_kwargs: Any) -> ChatResult:
        call = {"name": "utc_time", "args": {}, "id": str(len(messages))}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


def test_a_model_that_never_has_enough_is_stopped_by_a_counter_of_the_graph() -> None:
    messages = build_loop(Insatiable()).invoke({"messages": [HumanMessage("go")]})["messages"]
    assert sum(isinstance(message, AIMessage) for message in messages) == MAX_ROUNDS + 1
    assert open_calls(messages), "the last call is not made any more"
