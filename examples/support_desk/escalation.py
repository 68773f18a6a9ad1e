"""What is recorded of a claim that a gate refused, and what a person decides when its author cannot get it past."""

import json

from examples.support_desk.extraction import ClaimState, Extraction
from examples.support_desk.people import lines, written
from examples.support_desk.state import Refusal
from src.approvals import Approval, Decision
from src.audit import audit_entry
from src.gated import Oversight
from src.state import AuditEntry

_DONE = {"edit": "put right by a person", "reject": "sent back by a person", "abort": "taken over by a person"}


def oversight_of(extraction: Extraction) -> Oversight | None:
    """A person decides about a claim that its author could not get past the gate; what they write is judged as well."""
    if extraction.without:
        return None
    return Oversight(
        wanted=lambda _state, _context: False,
        present=lambda state: state["standing"] == "refused",
        ask=lambda state: _escalation(extraction, state),
        noted=lambda state, decision: {"audit": [_decided(extraction, state, decision)]},
        refused=lambda state, reasons: {
            "validation_errors": [refusal(extraction, state, reasons)],
            "audit": [line_of(extraction, state, reasons, "a person's words refused as well")],
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
    return line_of(extraction, state, [*state["reasons"], *said], _DONE[decision.decision])


def _place(who: str, state: ClaimState) -> str:
    """Tells a claim apart from all others of the conversation; the same when its step is done again."""
    counts = (state.get(key, 0) for key in ("corrections", "sent_back", "edits"))
    return f"turn-{state['turn_number']}-{who}-{'-'.join(map(str, counts))}"


def refusal(extraction: Extraction, state: ClaimState, reasons: list[str]) -> Refusal:
    return Refusal(id=_place(extraction.who, state), turn=state["turn_number"], who=extraction.who, reasons=reasons)


def line_of(extraction: Extraction, state: ClaimState, reasons: list[str], action: str) -> AuditEntry:
    place = f"{_place(extraction.who, state)}-{action.partition(',')[0].replace(' ', '-')}"
    return audit_entry(place, role=extraction.who, gate=extraction.who, reasons=reasons, action=action)
