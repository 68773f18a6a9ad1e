"""The same loop, with a tool that a person must approve, and a run that waits on disk until somebody does.

python -m examples.first_agent.approval
python -m examples.first_agent.approval resume NAME --decision approve
python -m examples.first_agent.approval resume NAME --decision edit --set people=6
python -m examples.first_agent.approval resume NAME --decision reject --notes "at eight, please"
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall
from langchain_core.tools import BaseTool
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer, interrupt

from examples.first_agent.loop import MAX_ROUNDS, Chat, acting, asking, rounds
from examples.first_agent.shown import (
    Changes,
    Notes,
    Replay,
    Thread,
    Verdict,
    address,
    as_text,
    as_value,
    check_known,
    decision_of,
    drive,
    opened,
    say,
)
from examples.first_agent.tools import book_table, weather
from src.approvals import Approval, Decision, taken
from src.cli.options import end_with
from src.models.calls import open_calls, refusal
from src.runs import new_run_id
from src.runs.names import check_name

PROGRAM = "examples.first_agent.approval"
QUESTION = "Book a table for four at Kolonihagen at seven."
TOOLS: Sequence[BaseTool] = (weather, book_table)
SENSITIVE = frozenset({"book_table"})
"""Tools that act on the world. The graph decides that they need a person, not the model."""


def build_approval(
    chat: BaseChatModel, tools: Sequence[BaseTool] = TOOLS, checkpointer: Checkpointer = None
) -> CompiledStateGraph[Chat, None, Chat, Chat]:
    """The loop with one node more: `person`, which every sensitive call must pass."""
    graph = StateGraph(Chat)
    graph.add_node("model", asking(chat, tools))
    graph.add_node("person", person)
    graph.add_node("tools", acting(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", after_model)
    graph.add_conditional_edges("person", after_person)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=checkpointer, name="approval")


def after_model(state: Chat) -> Literal["person", "tools", "__end__"]:
    """Past a person where one of the calls is sensitive."""
    calls = open_calls(state["messages"])
    if not calls or rounds(state) > MAX_ROUNDS:
        return "__end__"
    return "person" if any(call["name"] in SENSITIVE for call in calls) else "tools"


def after_person(state: Chat) -> Literal["tools", "model"]:
    """What is still open was approved; when nothing is, the model reads why."""
    return "tools" if open_calls(state["messages"]) else "model"


def person(state: Chat) -> dict[str, Any]:
    """Ask about each sensitive call. The node starts anew with every answer: nothing in it may act on the world."""
    changed: list[AnyMessage] = []
    last = next(message for message in reversed(state["messages"]) if isinstance(message, AIMessage))
    calls = {call["id"]: call for call in last.tool_calls}
    for call in open_calls(state["messages"]):
        if call["name"] not in SENSITIVE:
            continue
        approval = question_about(call)
        decision = taken(approval, interrupt(approval.model_dump()))
        if decision.decision == "reject":
            changed.append(refusal(call, f"The person decided against it: {decision.notes}"))
        calls[call["id"]] = edited(call, decision)
    if list(calls.values()) != last.tool_calls:
        # The same id: the message is replaced where it stands. A copy at the end would call the tool a second time.
        changed.insert(0, last.model_copy(update={"tool_calls": list(calls.values())}))
    return {"messages": changed}


def question_about(call: ToolCall) -> Approval:
    """What a person sees: the tool, and every argument as a text that may be edited."""
    texts = {name: as_text(value) for name, value in call["args"].items()}
    question = f"The model wants to call {call['name']}."
    return Approval(matter="tool_call", question=question, texts=texts, decisions=("approve", "edit", "reject"))


def edited(call: ToolCall, decision: Decision) -> ToolCall:
    """The call with a person's arguments in place of the model's."""
    changes = {name: as_value(text, call["args"][name]) for name, text in decision.texts.items()}
    return {**call, "args": {**call["args"], **changes}}


def talk(
    question: str = QUESTION, thread: str | None = None, given: Sequence[Decision] = (), replay: bool = False
) -> int:
    """Begin a run, or go on with one that waits."""
    assistants = opened(replay)
    name = check_name(thread) if thread else new_run_id(question)
    say(f"run      {name}")
    with address("approval").open() as database, database.held(name):
        graph = build_approval(assistants.chat("agent"), checkpointer=database.checkpointer)
        config = {"configurable": {"thread_id": name}}
        begin = None if thread else {"messages": [HumanMessage(question)]}
        if thread:
            check_known(graph, config, given)
        code = drive(graph, begin, config, given, PROGRAM)
    say(assistants.spent())
    return code


app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    question: Annotated[str, typer.Option(help="What is asked for.")] = QUESTION,
    replay: Replay = False,
) -> None:
    """A tool that needs a person's approval; the run waits on disk."""
    if context.invoked_subcommand is None:
        end_with(lambda: talk(question, replay=replay))


@app.command()
def resume(
    thread: Thread, decision: Verdict = None, notes: Notes = None, changes: Changes = None, replay: Replay = False
) -> None:
    """Go on with a run that waits."""
    end_with(lambda: talk(thread=thread, given=decision_of(decision, notes, changes), replay=replay))


if __name__ == "__main__":
    app()
