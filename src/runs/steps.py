"""How far a run may go, and what is told of it on the way."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from src.approvals import MAX_EDITS, MAX_SENT_BACK
from src.events import EventSink, NodeFinished, NodeName, NodeStarted
from src.state import MAX_ASKED, MAX_ROUNDS, TeamState

if TYPE_CHECKING:
    from src.context import TeamContext


def tell(tasks: "Iterator[dict[str, Any]]", on_event: EventSink, iteration: int) -> None:
    """Turn LangGraph's account of its tasks into our events; a task that failed has no end."""
    started: dict[str, tuple[float, int]] = {}
    for task in tasks:
        node = cast(NodeName, task["name"])
        if "result" not in task:
            which = task["input"].get("developer", 0)
            started[task["id"]] = time.monotonic(), which
            on_event(NodeStarted(node, iteration, which))
        elif not task.get("error") and not task.get("interrupts"):
            update = dict(task["result"])
            iteration = update.get("iteration", iteration)
            since, which = started[task["id"]]
            on_event(NodeFinished(node, time.monotonic() - since, update, which))


def rungs_of(context: "TeamContext") -> int:
    """Tiers of the longest ladder."""
    return max(len(context.rungs(role)) for role in context.models)


def longest(state: TeamState, max_corrections: int, rungs: int = 1) -> int:
    """Steps of the longest honest run: two authors, a test, two steps for each iteration, the review. Before them, for
    each round, the second reading and two looks at the assumptions, and every question to a person.

    Several developers take one step together. An iteration that disputes tests has a step more. The boxes count their
    steps by themselves, under the same limit: author, gate, measurement and verdict for each correction of each of
    `rungs` tiers; with a person's decisions all of that again whenever a text is sent back.
    """
    reading = 4 * (1 + MAX_ROUNDS) + MAX_ASKED
    disputes = min(state.get("max_disputes", 0), state["max_iterations"])
    box = 4 * (1 + max_corrections) * rungs
    if state.get("approve"):  # a person after each round of the author, and after each measurement of an edit
        box = (box + 1) * (1 + MAX_SENT_BACK) + 4 * MAX_EDITS
    return max(4 + reading + 2 * state["max_iterations"] + disputes, box)
