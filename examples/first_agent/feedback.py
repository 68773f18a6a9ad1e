"""A feedback gate that nothing gets around: write, be judged by rules and by a person, revise, until approved.

    python -m examples.first_agent.feedback --subject "the new bicycle shed"
    python -m examples.first_agent.feedback resume NAME --decision reject --notes "warmer, please"
    python -m examples.first_agent.feedback resume NAME --decision approve

Whether a person is asked is an edge of the graph. Where it is a tool, the model may forget to call it.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

import typer
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from examples.first_agent.shown import (
    Changes,
    Notes,
    Replay,
    Thread,
    Verdict,
    address,
    check_known,
    decision_of,
    drive,
    opened,
    say,
)
from src.approvals import Approval, Decision
from src.cli.options import end_with
from src.gated import Correctable, GatedAuthor, Judgement, Oversight, build_gated
from src.gates.verdict import Verdict as GateVerdict
from src.reply import text_of
from src.runs import new_run_id
from src.runs.names import check_name
from src.text import one_line

PROGRAM = "examples.first_agent.feedback"
SUBJECT = "the new bicycle shed"
MAX_CHARACTERS = 200
TASK = "Write a notice for a board, in at most {limit} characters, about: {subject}"


class Notice(TypedDict, total=False):
    """What travels along the edges."""

    subject: str
    """What the notice is about."""
    text: str
    """The latest text."""
    approved: str
    """The text that a person approved; empty when nobody could bring it so far."""


class Writing(Notice, Correctable, total=False):
    """What the writer's box works on: the notice, and what the loop keeps for itself."""


def judge(state: Any) -> Judgement:
    """The rules, before any person is bothered: plain Python, each reason such that the writer can act on it."""
    text, subject = state.get("edited", {}).get("text", state["text"]), state["subject"]
    reasons = []
    if len(text) > MAX_CHARACTERS:
        reasons.append(f"It has {len(text)} characters; at most {MAX_CHARACTERS} fit on the board.")
    if subject.lower() not in text.lower():
        reasons.append(f"It does not name {subject!r}.")
    return Judgement(GateVerdict(tuple(reasons)), {} if reasons else {"approved": text})


def build_feedback(
    chat: BaseChatModel, checkpointer: Checkpointer = None, tell: Callable[[str], None] = lambda _line: None
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """START → writer → END, where `writer` is the house's correction loop with a person at its end.

    `tell` is told each draft, and why the one before was refused.
    """

    def write(state: Any, *, runtime: Any) -> dict[str, Any]:  # noqa: ARG001  # a writer may use it; this one need not
        asked: list[Any] = [HumanMessage(TASK.format(limit=MAX_CHARACTERS, subject=state["subject"]))]
        if state.get("reasons"):
            asked += [AIMessage(state["text"]), HumanMessage("Revise it:\n" + "\n".join(state["reasons"]))]
        for reason in state.get("reasons", ()):
            tell(f"refused  {reason}")
        text = text_of(chat.invoke([SystemMessage("Answer with the notice only."), *asked]).content)
        tell(f"writer   {one_line(text, 500)}")
        return {"text": text}

    writer = GatedAuthor(
        "writer",
        state=Writing,
        output=Writing,
        write=write,
        judge=judge,
        give_up=lambda _state: {"approved": ""},
        oversight=Oversight(
            wanted=lambda _state, _context: True,
            present=lambda _state: True,
            ask=lambda state: Approval(matter="notice", question="May this go up?", texts={"text": state["text"]}),
            noted=lambda _state, _decision: {},
            refused=lambda _state, _reasons: {},
            abort=lambda _state: {"approved": ""},
        ),
    )
    graph = StateGraph(Notice)
    graph.add_node("writer", build_gated(writer, max_corrections=2))
    graph.add_edge(START, "writer")
    graph.add_edge("writer", END)
    return graph.compile(checkpointer=checkpointer, name="feedback")


def talk(
    subject: str = SUBJECT, thread: str | None = None, given: Sequence[Decision] = (), replay: bool = False
) -> int:
    """Begin a notice, or go on with one that waits."""
    assistants = opened(replay)
    name = check_name(thread) if thread else new_run_id(subject)
    say(f"run      {name}")
    with address("feedback").open() as database, database.held(name):
        graph = build_feedback(assistants.chat("writer"), database.checkpointer, tell=say)
        config: RunnableConfig = {"configurable": {"thread_id": name}}
        if thread:
            check_known(graph, config, given)
        code = drive(graph, None if thread else {"subject": subject}, config, given, PROGRAM)
        approved = graph.get_state(config).values.get("approved", "")
    if code == 0:
        say(f"approved {approved or '(nothing)'}")
    say(assistants.spent())
    return code


app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    subject: Annotated[str, typer.Option(help="What the notice is about.")] = SUBJECT,
    replay: Replay = False,
) -> None:
    """Write, be judged by rules and by a person, revise, until approved."""
    if context.invoked_subcommand is None:
        end_with(lambda: talk(subject, replay=replay))


@app.command()
def resume(
    thread: Thread, decision: Verdict = None, notes: Notes = None, changes: Changes = None, replay: Replay = False
) -> None:
    """Go on with a run that waits."""
    end_with(lambda: talk(thread=thread, given=decision_of(decision, notes, changes), replay=replay))


if __name__ == "__main__":
    app()
