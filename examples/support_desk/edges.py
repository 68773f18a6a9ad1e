"""The routers: pure functions from state to the next node. Every label is the name of a node."""

from typing import Literal

from examples.support_desk.gates import UPSET
from examples.support_desk.state import DeskState

MAX_MESSAGES = 8
"""Messages of a conversation from which on it is summed up."""
KEPT = 5
"""Messages that are kept then: an odd number, so that they begin and end with the customer's."""


def after_listen(state: DeskState) -> Literal["summary", "supervisor"]:
    """A long conversation is summed up first."""
    return "summary" if len(state["messages"]) > MAX_MESSAGES else "supervisor"


def after_supervisor(state: DeskState) -> Literal["orders", "refunds", "complaints", "answer"]:
    """Only a route that the gate let through leads anywhere."""
    match state["accepted"].get("route"):
        case "orders":
            return "orders"
        case "refunds":
            return "refunds"
        case "complaints":
            return "complaints"
        case _:
            return "answer"


def after_question(state: DeskState) -> Literal["look_up", "__end__"]:
    """Nothing is looked up that the gate did not let through."""
    return "look_up" if state["standing"] == "accepted" else "__end__"


def after_refund_claim(state: DeskState) -> Literal["approval", "director", "__end__"]:
    """A claim that the gate let through goes to a person, one that lacks a director alone to a director."""
    match state["standing"]:
        case "accepted":
            return "approval"
        case "director":
            return "director"
        case _:
            return "__end__"


def after_approval(state: DeskState) -> Literal["book", "director", "__end__"]:
    """A person approves, rejects, or leaves it to a director."""
    match state["standing"]:
        case "approved":
            return "book"
        case "director":
            return "director"
        case _:
            return "__end__"


def after_director(state: DeskState) -> Literal["book", "__end__"]:
    """A director approves or rejects."""
    return "book" if state["standing"] == "signed" else "__end__"


def after_complaint_claim(state: DeskState) -> Literal["decision", "file", "__end__"]:
    """Nobody but a person answers a customer who is upset."""
    if state["standing"] != "accepted":
        return "__end__"
    return "decision" if state["accepted"]["sentiment"] in UPSET else "file"
