"""What the desk's graph carries from node to node, and what its nodes are given beside that."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from examples.support_desk.facts import Order
from examples.support_desk.shop import Shop
from src.state import AuditEntry, merge_by_id

SCHEMA_VERSION = 1

Standing = Literal[
    "",
    "accepted",
    "asks",
    "refused",
    "director",
    "handed over",
    "looked up",
    "approved",
    "signed",
    "rejected",
    "booked",
    "too late",
    "filed",
    "escalated",
    "compensated",
    "closed",
]
"""Where the matter of a turn stands. `accepted`: a gate let the claim through. `asks`: the customer is asked for a
number. `refused`: a gate did not. `director`: only a director may approve. `handed over`: a person took it over.
`signed`: approved by a director. `too late`: approved, but the gate refused it at the moment of booking."""


class Refusal(TypedDict):
    """A gate refused what a model claimed."""

    id: str
    """Unique, and the same when a step is done again after a crash."""
    turn: int
    """Which message of the customer it was about."""
    who: str
    """Whose claim it was."""
    reasons: list[str]
    """Every rule that failed, as sent back word for word."""


class MatterOutput(TypedDict, total=False):
    """What a box hands to the desk: never the whole state, and no message."""

    extracted_data: dict[str, Any]
    """What a model claimed last. Nothing acts on it."""
    accepted: dict[str, Any]
    """The claim that a gate let through, or that lacks a director alone and has one: all that a tool reads."""
    standing: Standing
    """Where the matter of this turn stands."""
    note: str
    """What a person noted when deciding; told to the customer."""
    found: Order
    """The order that was looked up."""
    validation_errors: Annotated[list[Refusal], merge_by_id]
    """Every refusal of the whole conversation."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """Corrections, escalations, decisions and bookings of the whole conversation."""


class DeskState(MatterOutput, total=False):
    """State of one conversation."""

    schema_version: int
    """Version of this layout; a conversation of another version is not continued."""
    conversation: str
    """Part of every key that something is booked under."""
    customer: str
    """Who writes."""
    replay: bool
    """Whether the script was asked for, also where a model could answer."""
    queue: list[str]
    """What the customer says next, where that is known before."""
    turn_number: int
    """Which message of the customer is answered, from 1."""
    messages: Annotated[list[AnyMessage], add_messages]
    """What was said, merged by id."""
    summary: str
    """What was said before that."""
    orders: dict[str, Order]
    """The customer's orders, as they were when the turn began."""


@dataclass(frozen=True)
class DeskContext:
    """What nodes use and no checkpoint holds."""

    chat: Callable[[str], BaseChatModel]
    """The model of a member of the desk, by its name."""
    shop: Shop
    """The shop's database."""
