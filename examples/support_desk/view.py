"""What is seen of a conversation: a line for each thing that happened, foreign words cleaned before they are drawn."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from examples.support_desk.author import MAX_CORRECTIONS
from src.runs.watching import NodeDone
from src.text import clean, count, one_line

Line = tuple[str, str, str]
"""Who, what, and the style that it is drawn in."""
_BOXES = ("supervisor", "summary", "claim")
"""Boxes in which a form is filled in and judged."""


class DeskView:
    """Draws a conversation."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = max(len(name) for name in ("supervisor", "complaints")) + 2

    def opening(self, told: str, thread: str, customer: str) -> None:
        """Who answers, and what the conversation is called."""
        self._console.print(Text(clean(told)), style="bold", soft_wrap=True)
        self._console.print(Text(f"Conversation {thread} with {one_line(customer)}."), soft_wrap=True)

    def customer(self, text: str) -> None:
        """The customer says something."""
        self._console.print()
        self._say("customer", text, "bold cyan")

    def step(self, step: NodeDone) -> None:
        """A node is done."""
        for who, told, style in lines_of(step):
            self._say(who, told, style)

    def say(self, text: str) -> None:
        """A line of the program's own; nothing when it is empty."""
        if text:
            self._console.print(Text(clean(text)), soft_wrap=True)

    def _say(self, who: str, told: str, style: str) -> None:
        line = Text(f"{who:<{self._width}}", style="bold")
        self._console.print(line.append(one_line(told, 600), style=style), soft_wrap=True)


def lines_of(step: NodeDone) -> Iterator[Line]:
    """What a node did, in words."""
    update = step.update
    if step.path and step.path[-1] in _BOXES:
        who = step.path[0]
        yield from ((who, told, style) for told, style in _in_a_box(step.node, update))
    elif step.node in ("approval", "director", "decision"):
        yield "person", f"{update['audit'][-1]['action']} {update['note']}".strip(), "bold magenta"
    else:
        yield from _outside(step)


def _in_a_box(node: str, update: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The model fills in a form, the gate judges it, a person decides where neither got on."""
    match node:
        case "author":
            claim = update["extracted_data"]
            shown = ", ".join(f"{name} {value!r}" for name, value in claim.items() if value)
            yield (f"extracted: {shown or 'nothing'}" if claim else "filled in no form"), "dim"
        case "gate":
            yield from _judged(update)
        case _:
            yield update["audit"][-1]["action"], "bold magenta"


def _judged(update: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    refused = update.get("reasons") or update.get("edit_refused") or []
    for reason in refused:
        yield f"gate refused: {reason}", "red"
    if not refused:
        asks = update.get("standing") == "asks"
        yield ("no number: the customer is asked" if asks else "gate: passed"), "green"
    elif update["turn"] == "author":
        yield f"asked again (correction {update['corrections']} of {MAX_CORRECTIONS})", "yellow"
    elif update["turn"] == "person":
        yield "waits for a person: the gate refused every claim", "bold magenta"


def _outside(step: NodeDone) -> Iterator[Line]:
    """The nodes that act or route; a box that hands over what was told already says nothing."""
    update = step.update
    match step.node:
        case "supervisor" if "route" in update["accepted"]:
            yield "supervisor", f"routed to: {update['accepted']['route']}", "bold"
        case "forget":
            yield "summary", f"{count(len(update['messages']), 'message')} summed up: {update['summary']}", "dim"
        case "look_up":
            yield "orders", f"looked up: {update['found']['id']}, {update['found']['status']}", "bold green"
        case "book" | "file":
            yield step.path[0], f"shop: {update['standing']}", "bold green" if step.node == "file" else _booked(update)
        case "answer":
            yield "desk", str(update["messages"][-1].content), "bold cyan"


def _booked(update: Mapping[str, Any]) -> str:
    return "bold green" if update["standing"] == "booked" else "bold red"
