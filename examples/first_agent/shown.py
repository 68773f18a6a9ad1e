"""What the five programs have in common at the terminal: who answers, what each step did, what a person decides."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from src.approvals import Approval, Decision, pending, taken
from src.cli.console import open_console
from src.cli.decide import decide_on_terminal, given_answer, how_to_decide
from src.config import load_settings
from src.errors import ConfigurationError, ExitCode
from src.models.assistants import Assistants, choose_chat
from src.reply import text_of
from src.runs.database import Address
from src.runs.saved import questions_of
from src.text import clean, one_line

NET: Any = {"recursion_limit": 100}
"""Steps at most between two pauses: a net under the counters of the graphs, which no run may reach."""
SCRIPT = Path(__file__).with_name("script.jsonl")

Replay = Annotated[bool, typer.Option("--replay", help="Take the scripted replies even where there is a key.")]
Thread = Annotated[str, typer.Argument(help="Name of the run that waits.")]
Verdict = Annotated[str | None, typer.Option("--decision", help="approve, edit or reject, for the run that waits.")]
Notes = Annotated[str | None, typer.Option("--notes", help="With reject: what the model is told.")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="With edit: NAME=VALUE, may be repeated.")]


def say(line: str) -> None:
    """A line for people; nothing when it is empty. What a model says is foreign: it must not steer the terminal."""
    if line:
        open_console().print(clean(line), soft_wrap=True)


def opened(replay: bool) -> Assistants:
    """Who answers, told in a first line."""
    assistants = choose_chat(load_settings(), SCRIPT, replay=replay, notice=say)
    say(assistants.told)
    return assistants


def address(program: str) -> Address:
    """A database of the program's own, beside that of the team's runs."""
    settings = load_settings()
    key = settings.runs_key.get_secret_value() if settings.runs_key else None
    return Address(settings.runs_path.with_name(f"first_agent_{program}.sqlite"), key=key)


def show_steps(steps: Iterator[Any]) -> None:
    """Show the messages that each node returned, as they come."""
    for step in steps:
        for node, update in step.items():
            for message in update.get("messages", ()) if isinstance(update, dict) else ():
                say(f"{node:<8} {told(message)}")


def told(message: BaseMessage) -> str:
    """A message in a line."""
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    parts = [
        f"{call['name']}({', '.join(f'{name}={value!r}' for name, value in call['args'].items())})" for call in calls
    ]
    return one_line(" ".join([text_of(message.content), *parts]).strip(), 500) or "(nothing)"


def drive(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    begin: Any,
    config: Any,
    given: Sequence[Decision],
    program: str,
) -> int:
    """Carry a run on until it ends or waits for somebody who is not there; returns the exit code.

    `begin`: what a new run starts with. `given`: what was decided about the pauses, before anybody is asked.
    `program`: the module that a person comes back with.
    """
    decided = list(given)
    while True:
        state = graph.get_state(config, subgraphs=True)
        if waiting := questions_of(state):
            approval = pending(waiting[0].value)
            decision = taken(approval, decided.pop(0)) if decided else asked(approval)
            if decision is None:
                say(how_to_decide(config["configurable"]["thread_id"], approval, program, "--set NAME=VALUE"))
                return ExitCode.PAUSED
            say(f"you      {decision.decision} {decision.notes or decision.texts or ''}".rstrip())
            # By the name of the question: without it, LangGraph could answer a later one with it after a crash.
            begin = Command(resume={waiting[0].id: decision.model_dump()})
        elif state.next:
            begin = None  # it was killed in the middle: on from the last checkpoint
        elif begin is None:
            return 0
        # `sync`: a step is on disk before the next one begins, so that a killed process loses nothing.
        # Not `subgraphs=True`: nodes would run in other threads then, and Ctrl-C would wait for their models.
        show_steps(graph.stream(begin, config | NET, stream_mode="updates", durability="sync"))
        begin = None


def asked(approval: Approval) -> Decision | None:
    """What the person at the terminal decides; `None` where nobody sits at one."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        return decide_on_terminal(approval, typed)
    say(one_line(approval.question, 500))
    for name, text in approval.texts.items():
        say(f"  {name}: {text}")
    return None


def typed(name: str, text: str) -> str:
    """Another value, or the same where nothing is typed."""
    open_console(error=True).print(f"{name} [{one_line(text)}]: ", end="")
    return sys.stdin.readline().strip() or text


def check_known(graph: CompiledStateGraph[Any, Any, Any, Any], config: Any, given: Sequence[Decision]) -> None:
    """Raise `ConfigurationError` for a run that is not there, and for a decision about what was not shown."""
    try:
        state = graph.get_state(config, subgraphs=True)
    except NotImplementedError:  # what LangGraph raises for a state that was encrypted, where there is no key
        raise ConfigurationError("This run is encrypted.", "Set RUNS_KEY to its key.") from None
    if not state.values:
        raise ConfigurationError(f"There is no run {config['configurable']['thread_id']!r}.", "Begin one.")
    if given and not questions_of(state):
        raise ConfigurationError("This run does not wait for a decision.", "Leave out --decision.")
    if not state.next:
        say("This run is at its end.")


def decision_of(verb: str | None, notes: str | None, changes: Sequence[str] | None) -> list[Decision]:
    """What the options decide; empty when they decide nothing. Raises `ConfigurationError`."""
    texts = dict(change.split("=", 1) for change in changes or () if "=" in change)
    if len(texts) != len(changes or ()):
        raise ConfigurationError("--set takes NAME=VALUE, once for a name.")
    if verb is None and (notes or texts):
        raise ConfigurationError("--notes and --set belong to a decision.", "Add --decision.")
    given = given_answer(None, verb, notes if verb else None, {})
    return [given.model_copy(update={"texts": texts})] if isinstance(given, Decision) else []


def as_text(value: Any) -> str:
    """An argument as a person reads and edits it."""
    return value if isinstance(value, str) else json.dumps(value)


def as_value(text: str, before: Any) -> Any:
    """The argument again: what was text stays text, a number becomes one where it can. The tool checks it anyway."""
    if isinstance(before, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
