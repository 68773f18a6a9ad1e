"""The only node that acts on the world. It stands behind the pause, and reads what was approved, nothing else."""

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


def build_letter() -> Box:
    """The box of one draft: written and decided, then sent. Each has its own, so one is sent while others wait."""
    graph = StateGraph(LetterState, InboxContext, output_schema=LetterOutput)
    graph.add_node("writer", build_writer())
    graph.add_node("send", send)
    graph.add_edge(START, "writer")
    graph.add_edge("writer", "send")
    graph.add_edge("send", END)
    return graph.compile(name="letter")


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
        return _ended(approved, "too late", " ".join(verdict.reasons))
    answered = context.mailbox.get(approved["mail_id"])
    context.outbox.send(approved["id"], compose(approved, context.book.owner(), answered))
    if approved["meeting"]:
        title = f"{approved['subject']} ({approved['to']})"
        event = Event(id=approved["id"], title=title, start=approved["meeting"], end=facts["over"])
        context.calendar.hold(event)
    context.mailbox.drop_draft(message_id_of(approved["id"]))
    return _ended(approved, "sent", "")


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
