"""The desk as a graph: listen → supervisor → one specialist, or none → answer. This is the picture in the README."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from examples.support_desk.author import build_extraction
from examples.support_desk.complaints import build_complaints
from examples.support_desk.edges import after_listen, after_supervisor
from examples.support_desk.orders import build_orders
from examples.support_desk.refunds import build_refunds
from examples.support_desk.state import DeskContext, DeskState
from examples.support_desk.supervisor import ROUTE, SUMMED_UP, forget
from examples.support_desk.words import reply_to
from src.gated import Update

DeskGraph = CompiledStateGraph[DeskState, DeskContext, DeskState, DeskState]


def build_desk(checkpointer: BaseCheckpointSaver[Any] | None = None) -> DeskGraph:
    """Compile the desk. A turn is one run of it, from the customer's message to the answer."""
    graph = StateGraph(DeskState, DeskContext)
    graph.add_node("listen", listen)
    graph.add_node("summary", build_extraction(SUMMED_UP))
    graph.add_node("forget", forget)
    graph.add_node("supervisor", build_extraction(ROUTE))
    graph.add_node("orders", build_orders())
    graph.add_node("refunds", build_refunds())
    graph.add_node("complaints", build_complaints())
    graph.add_node("answer", answer)
    graph.add_edge(START, "listen")
    graph.add_conditional_edges("listen", after_listen)
    graph.add_edge("summary", "forget")
    graph.add_edge("forget", "supervisor")
    graph.add_conditional_edges("supervisor", after_supervisor)
    for specialist in ("orders", "refunds", "complaints"):
        graph.add_edge(specialist, "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=checkpointer, name="support_desk")


def listen(state: DeskState, runtime: Runtime[DeskContext]) -> Update:
    """A turn begins: what the last one left is put away, and the facts are looked up that gates judge by."""
    orders = runtime.context.shop.orders_of(state["customer"])
    return {"orders": orders, "extracted_data": {}, "accepted": {}, "standing": "", "note": ""}


def answer(state: DeskState) -> Update:
    """A turn ends: the customer is told what came of it."""
    reply = AIMessage(reply_to(state), id=f"turn-{state['turn_number']}-desk")
    return {"messages": [reply]}
