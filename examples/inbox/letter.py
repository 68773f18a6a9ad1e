"""One draft: author → gate → person, the correction loop of the house, and behind it the node that sends.

A person is asked by an edge of the graph. No text of a model leads around it, and none is sent that the gate refuses.
"""

from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from examples.inbox.compose import compose
from examples.inbox.facts import facts_of
from examples.inbox.gates import draft_verdict, standing_of
from examples.inbox.ports import Draft
from examples.inbox.prompts import correction, system
from examples.inbox.state import InboxContext, LetterState, WriterState
from src.approvals import Approval, Decision
from src.audit import audit_entry
from src.gated import SENT_BACK, Box, GatedAuthor, Judgement, Oversight, Update, build_gated
from src.state import AuditEntry

MAX_CORRECTIONS = 2
"""How often the writer is asked again before a person is."""
MAX_FIELD = 10_000
"""Characters of a field of the form at most."""
_KNOWN = {
    "contact": "{} is a contact: {}.",
    "thread": "Careful: {} is no contact, and known from this mail alone.",
    "stranger": "WARNING: {} is neither a contact nor in the mail that is answered.",
}
_DONE = {"approve": "approved", "edit": "edited", "reject": "sent back", "abort": "dropped"}


class Rewritten(BaseModel):
    """The whole draft, corrected."""

    to: str = Field(max_length=MAX_FIELD, description="One address.")
    subject: str = Field(max_length=MAX_FIELD, description="One line.")
    body: str = Field(max_length=MAX_FIELD, description="The text.")
    meeting: str = Field(
        default="", max_length=MAX_FIELD, description="When a proposed meeting begins, as YYYY-MM-DDTHH:MM, or empty."
    )


def build_writer() -> Box:
    """The loop. What comes out is approved and let through, or nothing."""
    author = GatedAuthor(
        "writer",
        WriterState,
        LetterState,
        write,
        judge,
        give_up=lambda _state: {"approved": {}},
        oversight=Oversight(
            wanted=lambda _state, _context: True,
            present=lambda _state: True,
            ask=question,
            noted=lambda state, decision: {"audit": [_decided(state, decision)]},
            refused=lambda state, reasons: {"audit": [line(state, "gate", reasons, "a person's edit refused")]},
            abort=lambda _state: {"approved": {}},
        ),
    )
    return build_gated(author, max_corrections=MAX_CORRECTIONS, context=InboxContext)


def write(state: WriterState, *, runtime: Runtime[InboxContext]) -> Update:
    """The draft as the assistant made it; after a refusal a model's correction. It lies among the drafts from then on.

    Done again after a crash it replaces itself there: nothing else is changed, and nothing leaves the house.
    """
    context, draft, audit = runtime.context, state["draft"], []
    if reasons := state.get("reasons"):
        draft = _corrected(draft, reasons, context)
        if not reasons[0].startswith(SENT_BACK):  # else a person sent it back, and the trail has that already
            audit = [line(state, "gate", reasons, f"asked again, correction {state['corrections']}")]
    facts = facts_of(draft, context)
    if draft_verdict(draft, facts).passed:  # what cannot even be a mail lies nowhere
        context.mailbox.keep_draft(compose(draft, context.book.owner(), context.mailbox.get(draft["mail_id"])))
    return {"draft": draft, "facts": facts, "audit": audit}


def _corrected(draft: Draft, reasons: list[str], context: InboxContext) -> Draft:
    """What a model makes of it; unchanged when it fills in no form, and the gate refuses it once more."""
    chat = context.chat("writer").with_structured_output(Rewritten, include_raw=True)
    told = correction(draft, context.mailbox.get(draft["mail_id"]), reasons)
    answer: Any = chat.invoke([system("writer", context.preferences.all()), HumanMessage(told)])
    form = answer["parsed"]
    if not isinstance(form, Rewritten):
        return draft
    return {**draft, "to": form.to, "subject": form.subject, "body": form.body, "meeting": form.meeting}


def judge(state: WriterState) -> Judgement:
    """The gate, over the model's draft or a person's texts in its place."""
    draft, edited = state["draft"], state.get("edited", {})
    changed: Draft = {**draft, **{name: text for name, text in edited.items() if name in draft}}  # type: ignore[typeddict-item]
    typed = changed["to"] if changed["to"] != draft["to"] else state.get("typed", "")
    verdict = draft_verdict(changed, state["facts"], typed)
    return Judgement(verdict, {"approved": changed, "typed": typed} if verdict.passed else {})


def question(state: WriterState) -> Approval:
    """What a person sees: whom it goes to and how they are known, subject and body, each of which may be edited."""
    draft, facts = state["draft"], state["facts"]
    known = _KNOWN[standing_of(draft["to"], facts)]
    told = [known.format(draft["to"], facts["contacts"].get(draft["to"].lower(), ""))]
    if draft["meeting"] and facts["over"]:
        told.append(f"It proposes a meeting from {draft['meeting'].replace('T', ' ')} to {facts['over'][11:]}.")
    return Approval(
        matter="mail",
        about=draft["id"],
        question=f"May {draft['id']} be sent to {draft['to']}?",
        background="\n".join(told),
        reasons=tuple(state["reasons"]),
        texts={"to": draft["to"], "subject": draft["subject"], "body": draft["body"]},
        meanings={"approve": "send it", "edit": "send it as you change it", "abort": "drop it; it is never sent"},
    )


def _decided(state: WriterState, decision: Decision) -> AuditEntry:
    changed = [f"{name} changed" for name in decision.texts]
    return line(
        state, "person", [*state["reasons"], *changed, *filter(None, [decision.notes])], _DONE[decision.decision]
    )


def line(state: WriterState, gate: str, reasons: list[str], action: str) -> AuditEntry:
    """A line of the trail; its name is the same when the step is done again."""
    counts = "-".join(str(state.get(key, 0)) for key in ("late", "corrections", "sent_back", "edits"))
    place = f"{state['draft']['id']}-{counts}-{action.partition(',')[0].replace(' ', '-')}"
    return audit_entry(place, role=state["draft"]["id"], gate=gate, reasons=reasons, action=action)
