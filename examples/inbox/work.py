"""Runs over the unread mail, one at a time: begun, decided about, gone on with. Each step is saved before the next."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from examples.inbox.graph import build_inbox
from examples.inbox.prompts import TASK
from examples.inbox.state import SCHEMA_VERSION, InboxContext, InboxState
from src.approvals import Approval, Decision, pending, taken
from src.errors import ConfigurationError
from src.runs.database import Database
from src.runs.saved import questions_of
from src.runs.watching import NodeDone, NodeWatcher
from src.state import AuditEntry, merge_by_id

PREFIX = "inbox:"
"""Begins the names of our threads, so that the team's own runs in the same database are told from them."""
MAX_UNREAD = 50
"""Mails of a run at most; the others are for the next one."""
RECURSION_LIMIT = 100
"""A net under our own counters."""


@dataclass(frozen=True)
class Waiting:
    """A draft that waits for a person."""

    question: str
    """Name of the pause."""
    approval: Approval
    """What is asked; `about` is the draft."""


@dataclass(frozen=True)
class Saved:
    """What the database holds of the latest run."""

    state: InboxState
    """Its last saved state, with the trail of the drafts that are still on their way."""
    waiting: Sequence[Waiting]
    """The drafts that wait, in the order in which they were made."""
    finished: bool
    """Whether nothing is left to do."""


class Work:
    """The runs in one database."""

    def __init__(
        self, database: Database, on_step: Callable[[NodeDone], None], context: InboxContext | None = None
    ) -> None:
        self._database, self._on_step, self._context = database, on_step, context
        self._graph = build_inbox(database.checkpointer)

    def serve(self, context: InboxContext) -> None:
        """Say who answers and what is worked on, before anything is begun or gone on with."""
        self._context = context

    def held(self) -> AbstractContextManager[None]:
        """Holds the mailbox, so that no other process works on it; raises `AtWork` when one does."""
        return self._database.held(f"{PREFIX}mailbox")

    def latest(self) -> Saved | None:
        """The latest run; `None` when there is none. Raises `ConfigurationError` for one of another version."""
        names = self._names()
        return self._saved(names[-1]) if names else None

    def begin(self, unread: Sequence[str], *, replay: bool) -> None:
        """A new run over the first of the mail. Raises `ConfigurationError` while the one before is not at its end."""
        latest = self.latest()
        if latest and not latest.finished:
            raise ConfigurationError("The run before is not at its end.", "Decide about its drafts first.")
        first = InboxState(
            schema_version=SCHEMA_VERSION,
            run=secrets.token_hex(8),
            replay=replay,
            unread=list(unread[:MAX_UNREAD]),
            messages=[HumanMessage(TASK, id="task")],
        )
        self._drive(f"{PREFIX}{len(self._names()) + 1:06}", first)

    def decide(self, draft: str, decision: Decision) -> None:
        """A person's decision about one draft; the others go on waiting.

        Raises `ConfigurationError` for a decision that is not allowed, and for a draft that does not wait.
        """
        saved = self.latest()
        found = next((one for one in saved.waiting if one.approval.about == draft), None) if saved else None
        if found is None:
            raise ConfigurationError(f"No draft called {draft[:40]!r} waits.", "See: python -m examples.inbox waiting")
        answer = taken(found.approval, decision).model_dump()
        self._drive(self._names()[-1], Command(resume={found.question: answer}))

    def go_on(self) -> None:
        """Go on where a process was killed or a model failed. Nothing is done again, and what waits still waits."""
        self._drive(self._names()[-1], None)

    def every(self) -> Iterator[InboxState]:
        """The state of each run, the first one first."""
        for name in self._names():
            yield self._saved(name).state

    def _names(self) -> list[str]:
        return sorted(name for name in self._database.threads() if name.startswith(PREFIX))

    def _saved(self, name: str) -> Saved:
        found = self._graph.get_state({"configurable": {"thread_id": name}}, subgraphs=True)
        if found.values.get("schema_version") != SCHEMA_VERSION:
            raise ConfigurationError("The latest run is of another version.", "Go on with the version that began it.")
        state = cast(InboxState, {**found.values, "audit": trail_of(found)})
        order = [draft["id"] for draft in state.get("drafts", [])]
        asked = [Waiting(one.id, pending(one.value)) for one in questions_of(found)]
        waiting = sorted(asked, key=lambda one: order.index(one.approval.about))
        return Saved(state, waiting, finished=not found.tasks)

    def _drive(self, name: str, given: Any) -> None:
        config: RunnableConfig = {
            "configurable": {"thread_id": name},
            "callbacks": [NodeWatcher(self._on_step)],
            "recursion_limit": RECURSION_LIMIT,
        }
        self._graph.invoke(given, config, context=self._context, durability="sync")


def trail_of(found: StateSnapshot) -> list[AuditEntry]:
    """The trail of a run, with what boxes that are still at work have noted: they hand it over when they are done."""
    trail: list[AuditEntry] = list(found.values.get("audit", []))
    for task in found.tasks:
        if isinstance(task.state, StateSnapshot):
            trail = merge_by_id(trail, trail_of(task.state))
    return trail
