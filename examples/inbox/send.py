"""The only node that acts on the world. It stands behind the pause, and reads what was approved, nothing else."""

from typing import Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from examples.inbox.compose import compose, message_id_of
from examples.inbox.facts import facts_of
from examples.inbox.gates import draft_verdict
from examples.inbox.letter import build_writer
from examples.inbox.ports import Draft, Event
from examples.inbox.state import InboxContext, LetterOutput, LetterState, Outcome
from src.audit import audit_entry
from src.gated import Box, Update

MAX_LATE = 3
"""How often a draft goes back to its writer after it was approved."""


def build_letter() -> Box:
    """The box of one draft: written and decided, then sent. Each has its own, so one is sent while others wait."""
    graph = StateGraph(LetterState, InboxContext, output_schema=LetterOutput)
    graph.add_node("writer", build_writer())
    graph.add_node("send", send)
    graph.add_edge(START, "writer")
    graph.add_edge("writer", "send")
    graph.add_conditional_edges("send", after_send, {"writer": "writer", "out": END})
    return graph.compile(name="letter")


def after_send(state: LetterState) -> Literal["writer", "out"]:
    """To the writer when the draft came too late: whatever comes of it there, a person decides again."""
    return "out" if state.get("outcomes") else "writer"


def send(state: LetterState, runtime: Runtime[InboxContext]) -> Update:
    """Send what was approved, once, and hold the time that it proposes. Done again after a crash it changes nothing.

    The gate looks once more: weeks may lie between the draft and its approval, and the slot may be taken.
    """
    context, approved = runtime.context, state.get("approved")
    if not approved:
        context.mailbox.drop_draft(message_id_of(state["draft"]["id"]))
        return _ended(state["draft"], "dropped", "a person dropped it")
    facts = facts_of(approved, context)
    verdict = draft_verdict(approved, facts, state.get("typed", ""))
    if not verdict.passed and not context.outbox.begun(approved["id"]):
        return _too_late(approved, verdict.reasons, state.get("late", 0) + 1)
    answered = context.mailbox.get(approved["mail_id"])
    context.outbox.send(approved["id"], compose(approved, context.book.owner(), answered))
    if approved["meeting"]:
        title = f"{approved['subject']} ({approved['to']})"
        event = Event(id=approved["id"], title=title, start=approved["meeting"], end=facts["over"])
        context.calendar.hold(event)
    context.mailbox.drop_draft(message_id_of(approved["id"]))
    return _ended(approved, "sent", "")


def _too_late(draft: Draft, reasons: tuple[str, ...], times: int) -> Update:
    if times > MAX_LATE:
        return _ended(draft, "too late", " ".join(reasons))
    place, action = f"{draft['id']}-late-{times}", "too late; written again"
    entry = audit_entry(place, role=draft["id"], gate="outbox", reasons=reasons, action=action)
    return {"draft": draft, "approved": {}, "late": times, "audit": [entry]}


def _ended(draft: Draft, standing: str, why: str) -> Update:
    outcome: Outcome = {
        "id": draft["id"],
        "to": draft["to"],
        "subject": draft["subject"],
        "standing": standing,  # type: ignore[typeddict-item]
        "why": why,
    }
    reasons = [why or f"to {draft['to']}: {draft['subject']}"]
    entry = audit_entry(f"{draft['id']}-ended", role=draft["id"], gate="outbox", reasons=reasons, action=standing)
    return {"outcomes": [outcome], "audit": [entry]}
