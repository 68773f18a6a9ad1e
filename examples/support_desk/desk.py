"""Conversations in a database: a message, a decision, or a crash that is gone on from. Each step is saved before the
next one begins."""

import secrets
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from examples.support_desk.graph import build_desk
from examples.support_desk.state import SCHEMA_VERSION, DeskContext, DeskState
from src.approvals import Approval, Decision, pending, taken
from src.errors import ConfigurationError
from src.runs.database import Database
from src.runs.saved import questions_of
from src.runs.watching import NodeDone, NodeWatcher
from src.state import merge_by_id
from src.text import clean

PREFIX = "support_desk:"
"""Begins the names of our threads, so that the team's own runs in the same database are told from them."""
MAX_MESSAGE = 4_000
"""Characters of a customer's message at most."""
RECURSION_LIMIT = 100
"""A net under our own counters; the longest honest turn takes some 70 steps."""


@dataclass(frozen=True)
class Saved:
    """What the database holds of a conversation."""

    state: DeskState
    """Its last saved state, with the refusals and the trail of a box that is still at work."""
    approval: Approval | None
    """What a person is asked before it goes on."""
    question: str
    """Name of that question."""
    finished: bool
    """Whether the latest message is answered."""


class Desk:
    """Conversations in one database."""

    def __init__(
        self, database: Database, on_step: Callable[[NodeDone], None], context: DeskContext | None = None
    ) -> None:
        self._database = database
        self._graph = build_desk(database.checkpointer)
        self._on_step = on_step
        self._context = context

    def serve(self, context: DeskContext) -> None:
        """Say who answers, before anything is said or gone on with."""
        self._context = context

    def held(self, thread: str) -> AbstractContextManager[None]:
        """Holds a conversation, so that no other process works on it; raises `AtWork` when one does."""
        return self._database.held(PREFIX + thread)

    def saved(self, thread: str) -> Saved | None:
        """What there is of a conversation; `None` when there is nothing.

        Raises `ConfigurationError` for one of another version.
        """
        found = self._graph.get_state(_config(thread), subgraphs=True)
        if not found.values:
            return None
        if found.values.get("schema_version") != SCHEMA_VERSION:
            raise ConfigurationError(f"The conversation {thread!r} is of another version.", "Begin a new one.")
        question = next(iter(questions_of(found)), None)
        approval = pending(question.value) if question else None
        return Saved(_with_unfinished(found), approval, question.id if question else "", finished=not found.tasks)

    def known(self, thread: str) -> Saved:
        """What there is of a conversation. Raises `ConfigurationError` when there is nothing."""
        saved = self.saved(thread)
        if saved is None:
            raise ConfigurationError(
                f"There is no conversation called {thread[:80]!r}.",
                "Go to the folder that it was begun in, or set RUNS_PATH or RUNS_URL to its database.",
            )
        return saved

    def begin(self, thread: str, text: str, customer: str, queue: Iterable[str] = (), *, replay: bool) -> None:
        """The first message of a conversation. `queue`: what the customer says after it, where that is known before."""
        first = DeskState(
            schema_version=SCHEMA_VERSION,
            conversation=secrets.token_hex(8),
            customer=customer,
            replay=replay,
            validation_errors=[],
            audit=[],
        )
        self._drive(thread, {**first, **_message(text, 1), "queue": list(queue)})

    def say(self, thread: str, text: str, queue: Iterable[str] = ()) -> None:
        """The next message. Raises `ConfigurationError` while the one before is not answered."""
        saved = self.known(thread)
        if not saved.finished:
            raise ConfigurationError(f"The conversation {thread!r} is not done with the message before.")
        self._drive(thread, {**_message(text, saved.state["turn_number"] + 1), "queue": list(queue)})

    def decide(self, thread: str, decision: Decision) -> None:
        """A person's decision. Raises `ConfigurationError` for one that is not allowed or that nothing asked for."""
        saved = self.known(thread)
        if saved.approval is None:
            raise ConfigurationError(f"The conversation {thread!r} does not wait for a decision.", "Leave it out.")
        self._drive(thread, Command(resume={saved.question: taken(saved.approval, decision).model_dump()}))

    def go_on(self, thread: str) -> None:
        """Go on where a process was killed or a model failed. What was done is not done again."""
        self._drive(thread, None)

    def _drive(self, thread: str, given: Any) -> None:
        config: RunnableConfig = {
            **_config(thread),
            "callbacks": [NodeWatcher(self._on_step)],
            "recursion_limit": RECURSION_LIMIT,
        }
        self._graph.invoke(given, config, context=self._context, durability="sync")


def _config(thread: str) -> RunnableConfig:
    return {"configurable": {"thread_id": PREFIX + thread}}


def _message(text: str, number: int) -> DeskState:
    """The customer's words, bounded and harmless. Raises `ConfigurationError` when there are none, or too many."""
    words = clean(text).strip()
    if not words or len(words) > MAX_MESSAGE:
        raise ConfigurationError(f"A message has 1 to {MAX_MESSAGE:,} characters.")
    return DeskState(turn_number=number, messages=[HumanMessage(words, id=f"turn-{number}-customer")])


def _with_unfinished(found: StateSnapshot) -> DeskState:
    """The state with what a box that waits has refused and noted so far: it hands that over when it is done."""
    state = cast(DeskState, dict(found.values))
    for task in found.tasks:
        if isinstance(task.state, StateSnapshot):
            inner = _with_unfinished(task.state)
            refused, noted = inner.get("validation_errors", []), inner.get("audit", [])
            state["validation_errors"] = merge_by_id(state.get("validation_errors", []), refused)
            state["audit"] = merge_by_id(state.get("audit", []), noted)
    return state
