"""The inbox as a graph: a loop of model and tools, then a box for each draft. This is the picture in the README."""

from typing import Any, Literal

from langchain_core.messages import AnyMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from examples.inbox.ports import Draft
from examples.inbox.prompts import system
from examples.inbox.send import build_letter
from examples.inbox.state import InboxContext, InboxState
from examples.inbox.tools import tools_of
from src.gated import Update
from src.models.calls import answer_call, open_calls

InboxGraph = CompiledStateGraph[InboxState, InboxContext, InboxState, InboxState]

MAX_ROUNDS = 20
"""How often the model is asked in a run. One that never has enough must not keep the loop going."""


def build_inbox(checkpointer: BaseCheckpointSaver[Any] | None = None) -> InboxGraph:
    """Compile it. A run goes from the unread mail to the last decision about a draft."""
    graph = StateGraph(InboxState, InboxContext)
    graph.add_node("model", model)
    graph.add_node("tools", tools)
    graph.add_node("letter", build_letter())
    graph.add_node("file", file)
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", after_model, ["tools", "letter", "file"])
    graph.add_edge("tools", "model")
    graph.add_edge("letter", "file")
    graph.add_edge("file", END)
    return graph.compile(checkpointer=checkpointer, name="inbox")


def model(state: InboxState, runtime: Runtime[InboxContext]) -> Update:
    """Ask the model, with the owner's preferences as they are now; in its last round without tools."""
    chat = runtime.context.chat("assistant")
    asked = chat.bind_tools(tools_of(runtime.context, state, [])) if _rounds(state) < MAX_ROUNDS else chat
    told = system("assistant", runtime.context.preferences.all())
    return {"messages": [asked.invoke([told, *state["messages"]])]}


def tools(state: InboxState, runtime: Runtime[InboxContext]) -> Update:
    """Answer every open call. Drafts are noted; each is judged, decided and sent in a box of its own."""
    made: list[Draft] = []
    able = tools_of(runtime.context, state, made)
    answers: list[AnyMessage] = [answer_call(call, able) for call in open_calls(state["messages"])]
    return {"messages": answers, "drafts": made}


def after_model(state: InboxState) -> Literal["tools", "file"] | list[Send]:
    """To the tools when the model calls one; at its end, each draft to a box of its own."""
    if open_calls(state["messages"]) and _rounds(state) <= MAX_ROUNDS:
        return "tools"
    return [Send("letter", {"draft": draft}) for draft in state.get("drafts", [])] or "file"


def file(state: InboxState, runtime: Runtime[InboxContext]) -> Update:
    """The run is over: what the model has read, and people have decided about, is not unread any more."""
    calls = [call for message in state["messages"] for call in getattr(message, "tool_calls", [])]
    read = {str(call["args"].get("mail_id")) for call in calls if call["name"] == "read_mail"}
    runtime.context.mailbox.mark_read(read & set(state["unread"]))
    return {}


def _rounds(state: InboxState) -> int:
    return sum(message.type == "ai" for message in state["messages"])
