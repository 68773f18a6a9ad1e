"""A model that fills in a form, and the gate that judges it: the correction loop of the house, a person at its end.

Whoever looks for the code that acts finds none here: out comes a claim that a gate let through, or none.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ValidationError

from examples.support_desk.gates import Claim
from examples.support_desk.people import lines, written
from examples.support_desk.prompts import background, correction
from examples.support_desk.state import DeskContext, DeskState, MatterOutput, Refusal
from src.approvals import Approval, Decision
from src.audit import audit_entry
from src.gated import Box, Correctable, GatedAuthor, Judgement, Oversight, Update, build_gated
from src.gates.verdict import Verdict
from src.state import AuditEntry

MAX_CORRECTIONS = 2
"""How often a model is asked again in a turn before a person is."""
MAX_RAW = 2_000
"""Characters of an unreadable reply that are shown to its author again."""
_DONE = {"edit": "put right by a person", "reject": "sent back by a person", "abort": "taken over by a person"}


class ClaimState(DeskState, Correctable, total=False):
    """State inside the box; a new one each turn, so that every turn has its own corrections."""

    problems: list[str]
    """Why the reply is no form that was filled in; empty when it is one."""
    raw: str
    """The reply as its author is shown it."""


def conversation(state: DeskState) -> list[AnyMessage]:
    """What was said, the customer's latest message last."""
    return list(state["messages"])


@dataclass(frozen=True)
class Extraction:
    """A form that a model fills in."""

    who: str
    """Who fills it in."""
    form: type[BaseModel]
    """The form."""
    told: str
    """What the model is told."""
    gate: Callable[[Claim, DeskState], Verdict]
    """Judges what was filled in. Pure."""
    reads: Callable[[DeskState], list[AnyMessage]] = conversation
    """What the model reads."""
    asks: bool = False
    """Whether the customer is asked for the order's number when the model found none."""
    without: Callable[[DeskState], Update] | None = None
    """What is taken in place of a claim when corrections are used up; `None`: a person decides."""


def build_extraction(extraction: Extraction) -> Box:
    """The loop: the model fills in, the gate judges, with every failed rule back to the model, then to a person."""
    author = GatedAuthor(
        extraction.who,
        ClaimState,
        MatterOutput,
        lambda state, *, runtime: _fill_in(extraction, state, runtime),
        lambda state: _judge(extraction, state),
        lambda state: _give_up(extraction, state),
        oversight=_oversight(extraction),
    )
    return build_gated(author, max_corrections=MAX_CORRECTIONS, context=DeskContext)


def _fill_in(extraction: Extraction, state: ClaimState, runtime: Runtime[DeskContext]) -> Update:
    messages: list[BaseMessage] = [SystemMessage(extraction.told + background(state.get("summary", "")))]
    messages += extraction.reads(state)
    audit = []
    if reasons := state.get("reasons"):
        messages += [AIMessage(state["raw"]), HumanMessage(correction(reasons))]
        if number := state.get("corrections", 0):  # else a person sent it back, and the trail has that already
            audit = [_line(extraction, state, reasons, f"asked again, correction {number}")]
    # Not `with_structured_output(include_raw=True)`: it asks from another thread, and Ctrl-C would wait for the model.
    model = runtime.context.chat(extraction.who).bind_tools([extraction.form], tool_choice="any")
    return {**_read(extraction.form, model.invoke(messages)), "audit": audit}


def _read(form: type[BaseModel], reply: AIMessage) -> Update:
    """What the model claims, as plain data; or why that cannot be read."""
    calls = [call["args"] for call in reply.tool_calls if call["name"] == form.__name__]
    shown = json.dumps(calls[0], ensure_ascii=False) if calls else reply.text
    problems = [f"The form {form.__name__} was not filled in."]
    if calls:
        try:
            return {
                "extracted_data": form.model_validate(calls[0]).model_dump(),
                "problems": [],
                "raw": shown[:MAX_RAW],
            }
        except ValidationError as fault:
            problems = told(fault)
    return {"extracted_data": {}, "problems": problems, "raw": shown[:MAX_RAW] or "(nothing)"}


def told(fault: ValidationError) -> list[str]:
    """Every field that is wrong, a line each."""
    problems = fault.errors(include_url=False, include_context=False, include_input=False)
    return [f"{'.'.join(map(str, problem['loc'])) or 'form'}: {problem['msg']}." for problem in problems[:10]]


def _judge(extraction: Extraction, state: ClaimState) -> Judgement:
    data, problems = _claimed(extraction, state)
    if extraction.asks and not problems and not data["order_id"]:
        return Judgement(Verdict(), {"extracted_data": data, "accepted": {}, "standing": "asks"})
    verdict = Verdict(tuple(problems)) if problems else extraction.gate(data, state)
    if verdict.passed:
        return Judgement(verdict, {"extracted_data": data, "accepted": data, "standing": "accepted"})
    standing = "director" if verdict.escalate else "refused"
    refusal = _refusal(extraction, state, list(verdict.reasons))
    return Judgement(verdict, {"accepted": {}, "standing": standing, "validation_errors": [refusal]})


def _claimed(extraction: Extraction, state: ClaimState) -> tuple[dict[str, Any], list[str]]:
    """The model's claim, or what a person put in its place, and why it cannot be read."""
    if not (edited := state.get("edited")):
        return state["extracted_data"], state["problems"]
    try:
        return extraction.form.model_validate_json(edited["claim"]).model_dump(), []
    except ValidationError as fault:
        return {}, told(fault)


def _give_up(extraction: Extraction, state: ClaimState) -> Update:
    if extraction.without is None:
        return {"audit": [_line(extraction, state, state["reasons"], "put to a director")]}
    return {"audit": [_line(extraction, state, state["reasons"], "gave up")], **extraction.without(state)}


def _oversight(extraction: Extraction) -> Oversight | None:
    """A person decides about a claim that its author could not get past the gate; what they write is judged as well."""
    if extraction.without:
        return None
    return Oversight(
        wanted=lambda _state, _context: False,
        present=lambda state: state["standing"] == "refused",
        ask=lambda state: _escalation(extraction, state),
        noted=lambda state, decision: {"audit": [_decided(extraction, state, decision)]},
        refused=lambda state, reasons: {
            "validation_errors": [_refusal(extraction, state, reasons)],
            "audit": [_line(extraction, state, reasons, "a person's words refused as well")],
        },
        abort=lambda _state: {"accepted": {}, "standing": "handed over"},
    )


def _escalation(extraction: Extraction, state: ClaimState) -> Approval:
    blank = dict.fromkeys(extraction.form.model_fields, "")
    return Approval(
        matter="escalation",
        question=f"The gate refused every claim of {extraction.who}. What becomes of this message?",
        background=lines(
            the_customer_wrote=written(state), the_last_claim=json.dumps(state["extracted_data"], ensure_ascii=False)
        ),
        reasons=tuple(state["reasons"]),
        texts={"claim": json.dumps({**blank, **state["extracted_data"]}, indent=2, ensure_ascii=False)},
        meanings={
            "edit": "fill in the form yourself; the gate looks at it too",
            "reject": "send it back with notes",
            "abort": "take the case over; the desk does nothing more about it",
        },
    )


def _decided(extraction: Extraction, state: ClaimState, decision: Decision) -> AuditEntry:
    said = [decision.notes] if decision.notes else []
    return _line(extraction, state, [*state["reasons"], *said], _DONE[decision.decision])


def place_of(who: str, state: ClaimState) -> str:
    """Tells a claim apart from all others of the conversation; the same when its step is done again."""
    counts = (state.get(key, 0) for key in ("corrections", "sent_back", "edits"))
    return f"turn-{state['turn_number']}-{who}-{'-'.join(map(str, counts))}"


def _refusal(extraction: Extraction, state: ClaimState, reasons: list[str]) -> Refusal:
    return Refusal(id=place_of(extraction.who, state), turn=state["turn_number"], who=extraction.who, reasons=reasons)


def _line(extraction: Extraction, state: ClaimState, reasons: list[str], action: str) -> AuditEntry:
    place = f"{place_of(extraction.who, state)}-{action.partition(',')[0].replace(' ', '-')}"
    return audit_entry(place, role=extraction.who, gate=extraction.who, reasons=reasons, action=action)
