"""A model and its tools in a loop: the smallest whole graph, shown step by step.

python -m examples.first_agent.loop "What is the weather in Oslo, and what time is it?"
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol, TypedDict

import typer
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph

from examples.first_agent.shown import NET, Replay, opened, say, show_steps
from examples.first_agent.tools import multiply, utc_time, weather
from src.cli.options import end_with
from src.models.calls import answer_call, open_calls

QUESTION = "What is the weather in Oslo, and what time is it?"
SYSTEM = SystemMessage(
    "Answer in one or two sentences. Use the tools for what you cannot know, and for every calculation."
)
TOOLS: Sequence[BaseTool] = (weather, utc_time, multiply)
MAX_ROUNDS = 5
"""How often the model is asked about one question. A model that never has enough must not keep the loop going."""


class Chat(TypedDict):
    """What travels along the edges."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation. The reducer merges by id: a node returns only what is new, and one message can be replaced."""


class Node(Protocol):
    """From the state to the part of it that changes."""

    def __call__(self, state: Chat) -> dict[str, Any]:
        """What changes."""


def build_loop(chat: BaseChatModel, **compiled: Any) -> CompiledStateGraph[Chat, None, Chat, Chat]:
    """START → model ⇄ tools, and from the model to END. `compiled`: a checkpointer, and where to pause."""
    graph = StateGraph(Chat)
    graph.add_node("model", asking(chat, TOOLS))
    graph.add_node("tools", acting(TOOLS))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", after_model)  # its edges are read from the router's return type
    graph.add_edge("tools", "model")
    return graph.compile(name="loop", **compiled)


def asking(chat: BaseChatModel, tools: Sequence[BaseTool]) -> Node:
    """The node of the model: it reads the conversation and returns one message more, never the whole of it."""
    with_tools = chat.bind_tools(tools)

    def model(state: Chat) -> dict[str, Any]:
        # In its last round it has no tools: then it must answer with what it has.
        asked = with_tools if rounds(state) < MAX_ROUNDS else chat
        return {"messages": [asked.invoke([SYSTEM, *state["messages"]])]}

    return model


def acting(tools: Sequence[BaseTool]) -> Node:
    """The node of the tools: it answers every call that is still open."""

    def act(state: Chat) -> dict[str, Any]:
        return {"messages": [answer_call(call, tools) for call in open_calls(state["messages"])]}

    return act


def after_model(state: Chat) -> Literal["tools", "__end__"]:
    """To the tools when the model calls one, as long as there are rounds left."""
    return "tools" if open_calls(state["messages"]) and rounds(state) <= MAX_ROUNDS else "__end__"


def rounds(state: Chat) -> int:
    """How often the model has answered since the last question."""
    kinds = [message.type for message in state["messages"]]
    since = kinds[len(kinds) - kinds[::-1].index("human") :] if "human" in kinds else kinds
    return since.count("ai")


def talk(question: str = QUESTION, replay: bool = False) -> int:
    """Ask one question and show every step until it is answered."""
    assistants = opened(replay)
    graph = build_loop(assistants.chat("agent"))
    say(f"you      {question}")
    show_steps(graph.stream({"messages": [HumanMessage(question)]}, NET, stream_mode="updates"))
    say(assistants.spent())
    return 0


def main(question: Annotated[str, typer.Argument()] = QUESTION, replay: Replay = False) -> None:
    """A loop of model and tools, shown step by step."""
    end_with(lambda: talk(question, replay))


if __name__ == "__main__":
    typer.run(main)
