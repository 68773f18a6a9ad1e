"""The one correction loop of the code base: author → gate → (refused: author again with the reasons) → out.

An author may have a trial: a text that the gate lets through is then measured and judged once more by what was found,
and a refusal there goes the same way back, on the same counter.

A person may have a say as well: over a text that was let through, and over one that its author could not get through.
What a person writes is judged as an author's text is, and refused to the person, not to the author.

What comes out is a compiled graph that a parent adds as a node: a box that turns state into state. It knows nothing
of code generation; the team's own authors are in `nodes/`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from src.approvals import MAX_EDITS, MAX_SENT_BACK, Approval, Decision, Verb, taken
from src.gates.verdict import Verdict

Update = Mapping[str, Any]
Box = CompiledStateGraph[Any, Any, Any, Any]
Turn = Literal["author", "gate", "measure", "person", "out"]
"""Who is next."""


class Writer(Protocol):
    """A node that may use the runtime's context: asks for a text, or measures one, and puts it into the state."""

    def __call__(self, state: Any, *, runtime: Runtime[Any]) -> Update:
        """The state's `reasons` are not empty when the latest text was refused."""


class Correctable(TypedDict, total=False):
    """Keys that the loop keeps for itself. An author's state inherits them; the parent never sees them."""

    reasons: list[str]
    """Why the latest text was refused; empty when it was accepted."""
    corrections: int
    """How often the author was asked again."""
    turn: Turn
    """Who is next."""
    waiting: Literal["", "approval", "escalation"]
    """What a person is asked: about a text that was let through, or about one that was not."""
    held: dict[str, Any]
    """What the state takes over once a person approves."""
    edited: dict[str, str]
    """A person's texts in place of the author's, by their names, while they are judged."""
    edit_refused: list[str]
    """Why a person's texts were refused; they are in `refused_edit`."""
    refused_edit: dict[str, str]
    """A person's texts that were refused."""
    sent_back: int
    """How often a person sent the text back with notes."""
    edits: int
    """How often a person handed in a text."""


@dataclass(frozen=True)
class Judgement:
    """A gate's verdict, and what the state takes over with it."""

    verdict: Verdict
    """Whether the text may go on."""
    update: Update = field(default_factory=dict)
    """Part of the state that follows from the verdict: the accepted text, or a record of the refusal."""


@dataclass(frozen=True)
class Trial:
    """What a text that passed the gate is put to before it goes out."""

    measure: Writer
    """Tries the text out and puts what it found into the state. A node of its own: it is not done again after a crash
    that comes later."""
    judge: Callable[[Any], Judgement]
    """Judges what was measured. Pure, as the gate is."""


class Escalate(Protocol):
    """Hands the task to somebody stronger, who starts with no correction used."""

    def __call__(self, state: Any, context: Any, reasons: list[str]) -> Update | None:
        """The part of the state that says who is asked from now on; `None` when nobody stronger is left.

        It must come to that by itself: the loop counts corrections, not escalations.
        """


@dataclass(frozen=True)
class Oversight:
    """What a person has a say in."""

    wanted: Callable[[Any, Any], bool]
    """Whether a text that was let through is to be approved; sees the state with it, and the context. No model."""
    present: Callable[[Any], bool]
    """Whether a person is asked when corrections and tiers are used up."""
    ask: Callable[[Any], Approval]
    """What is asked, but for the decisions that are allowed. Pure."""
    noted: Callable[[Any, Decision], Update]
    """The record of a decision."""
    refused: Callable[[Any, list[str]], Update]
    """The record of a person's text that a gate refused, with its reasons."""
    abort: Callable[[Any], Update]
    """What the state takes over when a person ends the run."""


@dataclass(frozen=True)
class GatedAuthor:
    """An author, the gate that judges it, and what is done when corrections are used up."""

    name: str
    """Name of the box."""
    state: type[Any]
    """State inside the box: what the author reads and writes, and `Correctable`."""
    output: type[Any]
    """What the box hands to the parent."""
    write: Writer
    """Asks for a text."""
    judge: Callable[[Any], Judgement]
    """Judges the latest text. Pure: no model, no clock, no I/O."""
    give_up: Callable[[Any], Update]
    """What the state takes over when the last correction was refused as well, or the verdict was to escalate."""
    trial: Trial | None = None
    """What an accepted text is put to; `None`: the gate has the last word."""
    escalate: Escalate | None = None
    """Finds somebody stronger before it is given up; `None`: there never is."""
    oversight: Oversight | None = None
    """What a person has a say in; `None`: nothing."""


def build_gated(author: GatedAuthor, *, max_corrections: int, context: type[Any] | None = None) -> Box:
    """Compile the loop for one author. It ends by its own counters, whatever the author and a person answer."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        author.state, context_schema=context, output_schema=author.output
    )
    graph.add_node("author", author.write)
    graph.add_node("gate", _gate(author, author.judge, max_corrections, then="measure" if author.trial else "out"))
    graph.add_edge(START, "author")
    graph.add_edge("author", "gate")
    judges, ways = ["gate"], {"author": "author", "out": END}
    if author.trial:
        graph.add_node("measure", author.trial.measure)
        graph.add_node("verdict", _gate(author, author.trial.judge, max_corrections, then="out"))
        graph.add_edge("measure", "verdict")
        judges, ways = ["gate", "verdict"], {**ways, "measure": "measure"}
    if author.oversight:
        graph.add_node("person", _person(author.oversight))
        ways["person"] = "person"
        graph.add_conditional_edges("person", _turn, {"author": "author", "gate": "gate", "out": END})
    for judge in judges:
        graph.add_conditional_edges(judge, _turn, {turn: place for turn, place in ways.items() if turn != "gate"})
    return graph.compile(name=author.name)


def _turn(state: Any) -> Turn:
    turn: Turn = state["turn"]
    return turn


def _gate(author: GatedAuthor, judge: Callable[[Any], Judgement], max_corrections: int, *, then: Turn) -> Any:
    """A node that judges the latest text and says who is next. `then`: where a text goes that is let through."""

    def gate(state: Any, *, runtime: Runtime[Any]) -> Update:
        judgement = judge(state)
        if judgement.verdict.passed:
            return _let_through(author, state, judgement.update, runtime.context, then)
        reasons = list(judgement.verdict.reasons)
        if author.oversight and (edited := state.get("edited")):
            back = {"edit_refused": reasons, "refused_edit": edited, "edited": {}, "turn": "person"}
            return {**author.oversight.refused(state, reasons), **back}
        refused = {**judgement.update, "reasons": reasons}
        used = max_corrections if judgement.verdict.escalate else state.get("corrections", 0)
        if used < max_corrections:
            return {**refused, "corrections": used + 1, "turn": "author"}
        return _used_up(author, {**state, **refused}, runtime.context, {**refused, "corrections": used + 1})

    return gate  # its types are beyond what add_node can read


def _let_through(author: GatedAuthor, state: Any, update: Update, context: Any, then: Turn) -> Update:
    """Take over a text that passed, or hold it for a person. What a person wrote is not asked about again."""
    accepted = {**update, "reasons": [], "turn": then}
    if state.get("edited") or author.oversight is None:
        return accepted
    held = {**state.get("held", {}), **update}
    if then == "measure":
        return {**accepted, "held": held}
    if not author.oversight.wanted({**state, **held}, context):
        return accepted
    return {"held": held, "reasons": [], "waiting": "approval", "turn": "person"}


def _used_up(author: GatedAuthor, beaten: Any, context: Any, refused: Update) -> Update:
    """Somebody stronger, else a person, else nobody."""
    stronger = author.escalate(beaten, context, beaten["reasons"]) if author.escalate else None
    if stronger is not None:
        return {**refused, **stronger, "corrections": 0, "turn": "author"}
    if author.oversight and author.oversight.present(beaten):
        return {**refused, "held": {}, "waiting": "escalation", "turn": "person"}
    return {**refused, **author.give_up(beaten), "turn": "out"}


def _person(oversight: Oversight) -> Any:
    """A node that asks a person and waits, for months if it must be. Nothing costly stands before the pause."""

    def person(state: Any) -> Update:
        approval = _question(oversight, state)
        decision = taken(approval, interrupt(approval.model_dump()))
        record = oversight.noted(state, decision)
        match decision.decision:
            case "approve":
                held = state["held"]
                return {**held, **_joined(held, record), "turn": "out"}
            case "edit":
                edited = {**approval.texts, **decision.texts, NOTES: decision.notes}
                return {**record, "edited": edited, "edits": state.get("edits", 0) + 1, "turn": "gate"}
            case "reject":
                sent_back = state.get("sent_back", 0) + 1
                again = {"held": {}, "refused_edit": {}, "edit_refused": [], "corrections": 0, "turn": "author"}
                return {**record, **again, "reasons": [SENT_BACK + decision.notes], "sent_back": sent_back}
            case _:
                return {**_joined(oversight.abort(state), record), "turn": "out"}

    return person


NOTES = "notes"
"""Where a person's notes lie among the texts of an edit."""
SENT_BACK = "The person who oversees this run sends it back and says: "
"""How notes begin as they go to the author."""


def _question(oversight: Oversight, state: Any) -> Approval:
    """What is asked, with what is still allowed and what became of the latest edit."""
    verbs: list[Verb] = ["approve"] if state["waiting"] == "approval" else []
    if state.get("edits", 0) < MAX_EDITS:
        verbs.append("edit")
    if state.get("sent_back", 0) < MAX_SENT_BACK:
        verbs.append("reject")
    more = {
        "decisions": (*verbs, "abort"),
        "edited": {name: text for name, text in state.get("refused_edit", {}).items() if name != NOTES},
        "edit_refused": tuple(state.get("edit_refused", ())),
    }
    return oversight.ask(state).model_copy(update=more)


def _joined(update: Update, record: Update) -> Update:
    """Both, lists one after the other."""
    both = {key: [*update[key], *more] for key, more in record.items() if isinstance(update.get(key), list)}
    return {**update, **record, **both}
