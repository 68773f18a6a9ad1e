"""The one correction loop of the code base: author → gate → (refused: author again with the reasons) → out.

An author may have a trial: a text that the gate lets through is then measured and judged once more by what was found,
and a refusal there goes the same way back, on the same counter.

What comes out is a compiled graph that a parent adds as a node: a box that turns state into state. It knows nothing
of code generation; the team's own authors are in `nodes/`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from src.gates.verdict import Verdict

Update = Mapping[str, Any]
Box = CompiledStateGraph[Any, Any, Any, Any]


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


def build_gated(author: GatedAuthor, *, max_corrections: int, context: type[Any] | None = None) -> Box:
    """Compile the loop for one author. It ends by its own counter, whatever the author answers."""

    def judged_by(judge: Callable[[Any], Judgement]) -> Any:  # a node; its types are beyond what add_node can read
        def gate(state: Any, *, runtime: Runtime[Any]) -> Update:
            judgement = judge(state)
            if judgement.verdict.passed:
                return {**judgement.update, "reasons": []}
            refused = {**judgement.update, "reasons": list(judgement.verdict.reasons)}
            used = max_corrections if judgement.verdict.escalate else state.get("corrections", 0)
            if used < max_corrections:
                return {**refused, "corrections": used + 1}
            beaten = {**state, **refused}
            stronger = author.escalate(beaten, runtime.context, refused["reasons"]) if author.escalate else None
            if stronger is not None:
                return {**refused, **stronger, "corrections": 0}
            return {**refused, **author.give_up(beaten), "corrections": used + 1}

        return gate

    def after_gate(state: Any) -> Literal["author", "accepted", "__end__"]:
        if not state["reasons"]:
            return "accepted"
        return "author" if state["corrections"] <= max_corrections else "__end__"

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(
        author.state, context_schema=context, output_schema=author.output
    )
    graph.add_node("author", author.write)
    graph.add_node("gate", judged_by(author.judge))
    graph.add_edge(START, "author")
    graph.add_edge("author", "gate")
    accepted = "measure" if author.trial else END
    graph.add_conditional_edges("gate", after_gate, {"author": "author", "accepted": accepted, END: END})
    if author.trial:
        graph.add_node("measure", author.trial.measure)
        graph.add_node("verdict", judged_by(author.trial.judge))
        graph.add_edge("measure", "verdict")
        graph.add_conditional_edges("verdict", after_gate, {"author": "author", "accepted": END, END: END})
    return graph.compile(name=author.name)
