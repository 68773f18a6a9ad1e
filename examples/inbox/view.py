"""What is seen of a run: a line for each thing that happened, foreign words cleaned before they are drawn."""

from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from rich.console import Console
from rich.text import Text

from examples.inbox.letter import MAX_CORRECTIONS
from src.reply import text_of
from src.runs.watching import NodeDone
from src.text import clean, one_line

Line = tuple[str, str, str]
"""Who, what, and the style that it is drawn in."""
WIDTH = 14
"""Characters of a draft's name, and a blank."""


class InboxView:
    """Draws a run. Drafts are worked on at once, each in a thread of its own."""

    def __init__(self, console: Console) -> None:
        self._console, self._lock = console, Lock()

    def step(self, step: NodeDone) -> None:
        """A node is done."""
        with self._lock:
            for who, told, style in lines_of(step):
                line = Text(f"{who:<{WIDTH}}", style="bold")
                self._console.print(line.append(one_line(told, 600), style=style), soft_wrap=True)

    def say(self, text: str) -> None:
        """A line of the program's own; nothing when it is empty."""
        if text:
            self._console.print(Text(clean(text)), soft_wrap=True)


def lines_of(step: NodeDone) -> Iterator[Line]:
    """What a node did, in words."""
    if step.path:
        who = step.given["draft"]["id"]
        yield from ((who, told, style) for told, style in _of_a_draft(step.node, step.update))
        return
    for message in step.update.get("messages", ()):
        yield from ((step.node, told, "dim" if step.node == "tools" else "") for told in told_of(message))


def told_of(message: BaseMessage) -> Iterator[str]:
    """A message in lines: what was said, and each call of a tool."""
    if not isinstance(message, AIMessage):
        yield one_line(f"{message.name}: {text_of(message.content)}".replace("`", " "), 110)
        return
    if said := text_of(message.content):
        yield said
    for call in message.tool_calls:
        given = (f"{name}={one_line(str(value), 32)}" for name, value in call["args"].items())
        yield f"{call['name']}({', '.join(given)})"


def _of_a_draft(node: str, update: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The author writes, the gate judges, a person decides, the outbox sends."""
    match node:
        case "author":
            draft = update["draft"]
            meeting = f", meeting {draft['meeting'].replace('T', ' ')}" if draft["meeting"] else ""
            yield f"draft to {draft['to']}: {draft['subject']}{meeting}", "cyan"
        case "gate":
            yield from _judged(update)
        case "person":
            yield update["audit"][-1]["action"], "bold magenta"
        case "send" if "outcomes" not in update:
            yield f"{update['audit'][-1]['action']}: {update['audit'][-1]['reason']}", "bold red"
        case "send":
            outcome = update["outcomes"][-1]
            yield f"{outcome['standing']} {outcome['why']}".strip(), _style(outcome["standing"])


def _judged(update: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    refused = update.get("reasons") or update.get("edit_refused") or []
    yield from ((f"gate refused: {reason}", "red") for reason in refused)
    if update["turn"] == "author":
        yield f"asked again (correction {update['corrections']} of {MAX_CORRECTIONS})", "yellow"
    elif update["turn"] == "person":
        yield "waits for a person" if refused else "gate: passed; waits for a person", "magenta"
    else:
        yield "gate: passed", "green"


def _style(standing: str) -> str:
    return {"sent": "bold green", "too late": "bold red"}.get(standing, "bold")
