"""What the inbox's graph carries from node to node, and what its nodes are given beside that."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from examples.inbox.gates import Facts
from examples.inbox.outbox import Outbox
from examples.inbox.ports import AddressBook, Calendar, Draft, Mailbox
from examples.inbox.preferences import Preferences
from src.gated import Correctable
from src.state import AuditEntry, merge_by_id

SCHEMA_VERSION = 1


class Outcome(TypedDict):
    """What became of a draft."""

    id: str
    """The draft."""
    to: str
    """Whom it was for."""
    subject: str
    """Its subject."""
    standing: Literal["sent", "dropped", "too late"]
    """`too late`: it was approved, but the gate refused it at the moment of sending, once too often."""
    why: str
    """Why it was not sent."""


class InboxState(TypedDict, total=False):
    """State of one run over the unread mail."""

    schema_version: int
    """Version of this layout; a run of another version is not gone on with."""
    run: str
    """Part of every draft's name; made up when the run begins."""
    replay: bool
    """Whether a script answers in place of a model."""
    unread: list[str]
    """The mail that is worked through, by its names."""
    messages: Annotated[list[AnyMessage], add_messages]
    """What the model was told and answered, merged by id."""
    drafts: Annotated[list[Draft], merge_by_id]
    """What the model would send."""
    outcomes: Annotated[list[Outcome], merge_by_id]
    """What became of it."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """Corrections, decisions and what was sent, in order."""


class LetterState(TypedDict, total=False):
    """State of one draft on its way to its recipient."""

    draft: Draft
    """As its author has it. Nothing is sent from here."""
    facts: Facts
    """What it is judged by."""
    approved: Draft
    """What the gate let through and a person approved: all that is sent. Absent, or empty, when a person dropped it."""
    typed: str
    """An address that a person typed as recipient."""
    late: int
    """How often the gate refused what was approved, at the moment of sending."""
    outcomes: Annotated[list[Outcome], merge_by_id]
    """What became of it."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """The audit trail."""


class WriterState(LetterState, Correctable, total=False):
    """State inside the box of the author."""


class LetterOutput(TypedDict, total=False):
    """What a draft's box hands to the run."""

    outcomes: Annotated[list[Outcome], merge_by_id]
    """What became of it."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """The audit trail."""


@dataclass(frozen=True)
class InboxContext:
    """What nodes use and no checkpoint holds."""

    chat: Callable[[str], BaseChatModel]
    """The model of an agent by its name: `assistant` reads and drafts, `writer` corrects a draft."""
    mailbox: Mailbox
    """Mail, and drafts."""
    book: AddressBook
    """Who is known."""
    calendar: Calendar
    """What is planned."""
    outbox: Outbox
    """What sends."""
    preferences: Preferences
    """What the owner likes."""
