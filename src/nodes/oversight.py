"""What a person decides about the team's texts: when one is asked, what is recorded, what becomes of an ended run."""

from collections.abc import Callable
from typing import Any

from src.approvals import Approval, Decision
from src.audit import audit_entry
from src.context import TeamContext
from src.gated import Oversight, Update
from src.nodes.author import AuthorState, speaker
from src.policy import Facts, Point, matters
from src.state import AuditEntry, Role, TeamState

ABORTED = "aborted"
"""What the trail calls the end of a run by a person."""
_ACTIONS = {"approve": "approved", "edit": "edited", "reject": "sent back", "abort": ABORTED}

Texts = dict[str, str]


def overseen(
    role: Role,
    point: Point,
    *,
    question: Callable[[Any], Approval],
    refused_texts: Callable[[Any], Texts],
    abort: Callable[[Any], Update] = lambda _state: {},
    applies: Callable[[Any], bool] = lambda _state: True,
) -> Oversight:
    """The oversight of an author.

    `question`: what is asked about a text that was let through. `refused_texts`: what there is of one that was not.
    `applies`: whether `point` is what the author came to. `abort`: what becomes of its text when the run is ended.
    """

    def wanted(state: AuthorState, context: TeamContext) -> bool:
        asked = point in state.get("approve", []) and applies(state)
        return asked and matters(state.get("approve_when", []), facts_of(state, context))

    def ask(state: AuthorState) -> Approval:
        if state["waiting"] == "escalation":
            approval = _escalation(role, point, state, refused_texts(state))
        else:
            approval = question({**state, **state["held"], "tested": state.get("code", "")})
        return approval.model_copy(update={"developer": state.get("developer", 0)})

    def noted(state: AuthorState, decision: Decision) -> Update:
        told = decision.notes or ", ".join(decision.texts) or f"the {_CALLED[point]}"
        line = _line(role, point, state, told, _ACTIONS[decision.decision])
        return {"audit": [line], **({"refused_by": "person"} if decision.decision == "reject" else {})}

    def refused(state: AuthorState, reasons: list[str]) -> Update:
        line = _line(role, point, state, "; ".join(reasons), "edit refused, asked again")
        return {"audit": [{**line, "id": f"{line['id']}-refused"}]}

    return Oversight(
        wanted=wanted,
        present=lambda state: "escalation" in state.get("approve", []),
        ask=ask,
        noted=noted,
        refused=refused,
        abort=lambda state: {**abort(state), "status": "aborted"},
    )


def facts_of(state: TeamState, context: TeamContext) -> Facts:
    """What conditions for asking are about, the text that is at hand included."""
    return Facts(
        cost=context.ledger.spent.cost,
        suspicion=bool(state.get("suspicions")),
        suite_changed=any(dispute["decision"] == "amended" for dispute in state.get("disputes", [])),
    )


_CALLED: dict[Point, str] = {
    "spec": "specification and suite",
    "code": "module",
    "patch": "patch",
    "dispute": "decision about disputed tests",
}


def _escalation(role: Role, point: Point, state: AuthorState, texts: Texts) -> Approval:
    who = f"Developer {state['developer']}" if state.get("developer") else f"The {role}"
    return Approval(
        matter="escalation",
        question=f"{who} did not get its {_CALLED[point]} past the gate. How shall the run go on?",
        background=f"Corrections and tiers are used up. Refused by the gate: {state['refused_by']}.",
        reasons=tuple(state["reasons"]),
        texts=texts,
    )


def _line(role: Role, point: Point, state: AuthorState, told: str, action: str) -> AuditEntry:
    matter = "escalation" if state["waiting"] == "escalation" else point
    number = state.get("edits", 0) + state.get("sent_back", 0)
    who = speaker(role, state).replace(" ", ".")
    place = f"person-{matter}-{who}-{state.get('iteration', 0)}-{state.get('rounds', 0)}-{number}"
    return audit_entry(place, role=speaker(role, state), gate="person", reasons=[f"{matter}: {told}"], action=action)
