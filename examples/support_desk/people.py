"""What a person decides about a claim that a gate let through. Nothing costly stands before the pause."""

from collections.abc import Mapping

from langgraph.types import interrupt

from examples.support_desk.state import DeskState, Standing
from src.approvals import Approval, taken
from src.audit import audit_entry
from src.gated import Update
from src.text import one_line


def decide(state: DeskState, approval: Approval, standings: Mapping[str, Standing]) -> Update:
    """Ask a person and wait, for months if it must be; `standings`: what follows from each decision."""
    decision = taken(approval, interrupt(approval.model_dump()))
    entry = audit_entry(
        f"turn-{state['turn_number']}-{approval.matter}",
        role=approval.matter,
        gate="person",
        reasons=[approval.question, *([decision.notes] if decision.notes else [])],
        action=f"decided: {decision.decision}",
    )
    return {"standing": standings[decision.decision], "note": decision.notes, "audit": [entry]}


def lines(**facts: str) -> str:
    """Facts for a person, a line each; none of them can pass for another line."""
    return "\n".join(f"{name.replace('_', ' ')}: {one_line(value, 1000)}" for name, value in facts.items() if value)


def written(state: DeskState) -> str:
    """The customer's latest message."""
    return str(state["messages"][-1].content)
