"""What the architect, the developer and the debugger have in common: a role that is asked, and asked again."""

from collections.abc import Callable
from typing import Annotated, Any, TypedDict

from langgraph.runtime import Runtime

from src.audit import audit_entry
from src.candidates import DROPPED_OUT, called
from src.context import TeamContext
from src.events import CorrectionAsked
from src.gated import Correctable, Escalate, Judgement, Update, Writer
from src.gates.verdict import Verdict
from src.nodes.calling import call
from src.parsing import FormatError
from src.prompts import correction
from src.reply import Finish, Reply
from src.state import AuditEntry, Message, Rejection, Role, Status, Suspected, TeamState, highest, merge_by_id


class Draft(TypedDict):
    """The latest reply of an author, not yet accepted."""

    text: str
    """What it wrote."""
    finish: Finish
    """Why it stopped."""


class AuthorState(TeamState, Correctable, total=False):
    """State inside an author's box."""

    draft: Draft
    """The latest reply."""
    refused_by: str
    """The gate that refused the latest reply."""
    developer: int
    """Which of several developers this one is, from 1; absent when there is one alone."""


class AuthorOutput(TypedDict, total=False):
    """What every author hands to the team; each adds what it writes."""

    status: Status
    """Where the run stands."""
    rejections: Annotated[list[Rejection], merge_by_id]
    """Every refusal by a gate."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """The audit trail."""
    suspicions: Annotated[list[Suspected], merge_by_id]
    """Kinds of suspicion that an author was told of."""
    rungs: Annotated[dict[Role, int], highest]
    """How far each role has climbed its ladder of tiers."""


GATES: dict[Role, str] = {"architect": "suite", "reader": "second reading"}
"""The gate that judges what a role wrote; the others write candidates."""


def known_packages(state: TeamState) -> frozenset[str] | None:
    """Import names of the extra packages; `None`: there are some, under names that are not known."""
    packages = state.get("packages", [])
    return None if packages is None else frozenset(packages)


def hints_of(state: TeamState) -> list[str]:
    """What an author is told of earlier runs."""
    return [hint["text"] for hint in state.get("lessons", [])]


def writer(role: Role, conversation: Callable[[AuthorState], list[Message]]) -> Writer:
    """The author node of `role`; a refused reply goes back to it with the reasons."""

    # LangGraph hands over the keys of the annotated type alone, and a box may have keys of its own.
    def write(state: Any, *, runtime: Runtime[TeamContext]) -> Update:
        messages = conversation(state)
        audit = []
        if reasons := state.get("reasons"):
            sent_back = state["refused_by"] == "person"
            number, which = state.get("corrections", 0), state.get("developer", 0)
            runtime.context.on_event(CorrectionAsked(role, tuple(reasons), number, sent_back, which))
            previous = state["draft"]["text"] or "(no text)"
            messages += [("ai", previous), correction(reasons)]
            if number:  # else it was escalated, and the trail has that already
                audit = [refused(role, state, reasons, f"asked again, correction {number}")]
        reply = call(role, messages, runtime, rung_of(role, state), state.get("developer", 0))
        if reply.in_place_of:
            audit.append(_replaced(role, state, reply))
        return {"draft": Draft(text=reply.text, finish=reply.finish), "audit": audit}

    return write


def judge(role: Role, state: AuthorState, check: Callable[[Reply], tuple[Verdict, Update]]) -> Judgement:
    """Read the latest reply and check what it holds; a reply that cannot be read is refused with its reason."""
    gate = GATES.get(role, "candidate")
    try:
        verdict, update = check(draft_of(state))
    except FormatError as error:
        verdict, update, gate = Verdict((error.reason,)), {}, "format"
    if verdict.passed:
        return Judgement(verdict, update)
    named = update.get("suspicions", [])  # the one thing that is learnt from a text that is refused
    refusal = {"rejections": [rejection(role, state, verdict)], "refused_by": gate}
    return Judgement(verdict, {**refusal, "suspicions": named})


def draft_of(state: AuthorState) -> Reply:
    """The latest reply of an author."""
    return Reply(**state["draft"])


def climber(role: Role) -> Escalate:
    """Hands a role's task to its next tier when corrections are used up, or when only somebody else may decide."""

    def climb(state: Any, context: TeamContext, reasons: list[str]) -> Update | None:
        rung = next_rung(role, state, context)
        if rung is None:
            return None
        line = refused(role, state, reasons, f"escalated, to tier {rung + 1}")
        return {"rungs": {**state.get("rungs", {}), role: rung}, "audit": [line]}

    return climb


def rung_of(role: Role, state: TeamState) -> int:
    """How far a role has climbed its ladder of tiers; 0 is its first model."""
    return state.get("rungs", {}).get(role, 0)


def next_rung(role: Role, state: TeamState, context: TeamContext) -> int | None:
    """The rung above; `None` at the top of the ladder."""
    rung = rung_of(role, state) + 1
    return rung if rung < len(context.rungs(role)) else None


def _replaced(role: Role, state: AuthorState, reply: Reply) -> AuditEntry:
    place = f"{_refusal_id(role, state)}-fallback"
    action = f"{reply.model} answered in its place"
    return audit_entry(place, role=speaker(role, state), gate="provider", reasons=[reply.in_place_of], action=action)


def give_up(role: Role, state: AuthorState) -> Update:
    """What follows when a role's corrections are used up, or its text is for somebody else to decide."""
    action = DROPPED_OUT if state.get("developer") else "gave up"  # for others go on, or may
    return {"status": "gave_up", "audit": [refused(role, state, state["reasons"], action)]}


def speaker(role: Role, state: AuthorState) -> str:
    """Who a line of the audit trail is about."""
    return called(role, state.get("developer", 0))


def refused(role: Role, state: AuthorState, reasons: list[str], action: str) -> AuditEntry:
    """The line of the audit trail that a refusal ends in."""
    place = f"{_refusal_id(role, state)}-{action.partition(',')[0].replace(' ', '-')}"
    return audit_entry(place, role=speaker(role, state), gate=state["refused_by"], reasons=reasons, action=action)


def rejection(role: Role, state: AuthorState, verdict: Verdict) -> Rejection:
    """The record of a gate's refusal."""
    return Rejection(id=_refusal_id(role, state), role=role, reasons=list(verdict.reasons))


def _refusal_id(role: Role, state: AuthorState) -> str:
    """The same refusal has the same id when a step is done again after a crash."""
    who = speaker(role, state).replace(" ", ".")
    place = f"{who}-{state.get('iteration', 0)}-{rung_of(role, state)}-{state.get('corrections', 0)}"
    rounds = f"-{state['rounds']}" if state.get("rounds") else ""
    return f"{place}{rounds}-sent-back-{state['sent_back']}" if state.get("sent_back") else f"{place}{rounds}"
