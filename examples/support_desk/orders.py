"""The specialist for orders: claim → gate → look up."""

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from examples.support_desk.author import build_extraction
from examples.support_desk.claims import OrderQuestion
from examples.support_desk.edges import after_question
from examples.support_desk.extraction import Extraction
from examples.support_desk.gates import question_verdict
from examples.support_desk.prompts import ORDERS
from examples.support_desk.state import DeskContext, DeskState, MatterOutput
from src.gated import Box, Update

QUESTION = Extraction(
    "orders", OrderQuestion, ORDERS, lambda claim, state: question_verdict(claim, state["orders"]), asks=True
)


def build_orders() -> Box:
    """The specialist as a box."""
    graph = StateGraph(DeskState, DeskContext, output_schema=MatterOutput)
    graph.add_node("claim", build_extraction(QUESTION))
    graph.add_node("look_up", look_up)
    graph.add_edge(START, "claim")
    graph.add_conditional_edges("claim", after_question)
    graph.add_edge("look_up", END)
    return graph.compile(name="orders")


def look_up(state: DeskState, runtime: Runtime[DeskContext]) -> Update:
    """The tool: reads the one order that the gate let through."""
    orders = runtime.context.shop.orders_of(state["customer"])
    return {"found": orders[state["accepted"]["order_id"]], "standing": "looked up"}
