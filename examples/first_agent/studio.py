"""The graphs for `langgraph dev` and Studio, which bring a checkpointer of their own."""

from typing import Any

from langgraph.graph.state import CompiledStateGraph

from examples.first_agent.approval import build_approval
from examples.first_agent.feedback import build_feedback
from examples.first_agent.loop import build_loop
from examples.first_agent.shown import SCRIPT
from src.config import load_settings
from src.models.assistants import choose_chat

AnyGraph = CompiledStateGraph[Any, Any, Any, Any]


def make_loop() -> AnyGraph:
    """A loop of model and tools."""
    return build_loop(choose_chat(load_settings(), SCRIPT).chat("agent"))


def make_approval() -> AnyGraph:
    """The same with a tool that needs a person: go on with `{"decision": "approve"}`."""
    return build_approval(choose_chat(load_settings(), SCRIPT).chat("agent"))


def make_feedback() -> AnyGraph:
    """Write, be judged, revise, until a person approves."""
    return build_feedback(choose_chat(load_settings(), SCRIPT).chat("writer"))
