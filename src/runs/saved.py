"""What the database holds of a run, as its readers want it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from src.approvals import Answer, Approval, Decision, decided, pending, taken
from src.candidates import latest_by_id
from src.errors import ConfigurationError
from src.ledger import Entry, calls_of
from src.state import SCHEMA_VERSION, Call, TeamState, merge_by_id

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.types import Interrupt, StateSnapshot

NOTE = "note:"
"""Marks our own entries among the metadata of a checkpoint."""
DONE = "done"
"""Names, in the metadata of a checkpoint that a replay or a fork begins with, the node that counts as done."""


@dataclass(frozen=True)
class SavedRun:
    """What the database holds of a run."""

    run_id: str
    """Name of the run."""
    state: TeamState
    """Its last saved state."""
    calls: Sequence[Call]
    """Every request to a model, those of processes that were killed included."""
    notes: Mapping[str, str]
    """What its starter wanted kept beside it (where the files go, which transcript is played); never a secret."""
    finished: bool
    """Whether nothing is left to do."""
    approval: Approval | None = None
    """What a person is asked before the run goes on."""
    origin: str = ""
    """The run and the checkpoint that it was forked from; empty for most."""
    started_at: str = ""
    """When it was started, ISO 8601, UTC; empty for a run that is older than the list of runs."""
    pauses: Sequence[str] = ()
    """LangGraph's names for all that is asked at once, that of `approval` first; see `answer_to`."""
    at_work: bool = False
    """Whether a process works on it at this moment; told by `Runs.all` alone."""


@dataclass(frozen=True)
class UnreadableRun:
    """A run that this version, or this key, cannot read: never a half-restored state."""

    run_id: str
    """Name of the run."""
    reason: str
    """Why, in one line."""
    started_at: str = ""
    """When it was started, ISO 8601, UTC; empty where that is not known."""


@dataclass(frozen=True)
class Step:
    """A checkpoint of a run."""

    number: int
    """Which step of the run, from the first on."""
    checkpoint_id: str
    """LangGraph's name for it."""
    when: str
    """ISO 8601, UTC."""
    done: str
    """What was done last: a node, or `start`."""
    next: tuple[str, ...]
    """What would be done next; empty at the end."""
    state: TeamState
    """The state then."""
    calls: Sequence[Call] = ()
    """Every request to a model that was made until then."""


def saved_run(run_id: str, found: "StateSnapshot", calls: Sequence[Call], listed: Mapping[str, str]) -> SavedRun:
    """A run from its last checkpoint. Raises `ConfigurationError` when it is of another version."""
    check_version(run_id, found)
    notes = {key.removeprefix(NOTE): str(value) for key, value in (found.metadata or {}).items() if NOTE in key}
    waiting = sorted(questions_of(found), key=lambda one: one.value.get("developer", 0))  # LangGraph knows no order
    asked = pending(waiting[0].value) if waiting else None
    pauses = tuple(one.id for one in waiting)
    origin, started = listed.get("origin", ""), listed.get("started_at", "") or notes.get("started_at", "")
    # not `found.next`: that leaves out a step whose writes are saved, and with it that the run was to go on
    return SavedRun(run_id, with_unfinished(found), calls, notes, not found.tasks, asked, origin, started, pauses)


def questions_of(found: "StateSnapshot") -> "list[Interrupt]":
    """The pauses that a person is to end; `found` has the states of subgraphs.

    A graph holds the question of a box until that is done, also when it was answered and the process died afterwards:
    whether it is still open, only the box knows.
    """
    waiting: list[Interrupt] = []
    for task in found.tasks:
        inner = hasattr(task.state, "tasks")
        waiting += questions_of(cast("StateSnapshot", task.state)) if inner else task.interrupts
    return waiting


def steps_of(found: Sequence["StateSnapshot"], entries: Sequence[Entry] = ()) -> list[Step]:
    """The checkpoints of a run in the order in which they were made; `found` has the newest first.

    After a replay they are no single line: what a checkpoint was made by is what its parent was about to do.
    `entries`: those of the run's ledger, where it matters which calls had been made by then.
    """
    upcoming = {_checkpoint_id(shot.config): ", ".join(_upcoming(shot)) for shot in found}
    steps: list[Step] = []
    for number, shot in enumerate(reversed(found)):
        values, parent = cast(TeamState, shot.values), shot.parent_config
        done = upcoming.get(_checkpoint_id(parent), "start") if parent else "start"
        done = str((shot.metadata or {}).get(DONE, done))
        identity, when = _checkpoint_id(shot.config), str(shot.created_at or "")
        calls = calls_of(entry for entry in entries if entry.get("at", "") <= when)
        steps.append(Step(number, identity, when, done, _upcoming(shot), values, calls))
    return steps


def _upcoming(shot: "StateSnapshot") -> tuple[str, ...]:
    """The nodes that are next; several developers are one step."""
    return tuple(dict.fromkeys(map(str, shot.next)))


def _checkpoint_id(config: "RunnableConfig") -> str:
    return str(config["configurable"]["checkpoint_id"])


def first_state(request: str) -> TeamState:
    """What is the same at the start of every run, but for the request."""
    return TeamState(
        schema_version=SCHEMA_VERSION, user_request=request, iteration=0, debug_history=[], status="starting"
    )


def check_version(run_id: str, found: "StateSnapshot") -> None:
    """Raise `ConfigurationError` when a run was saved by a version that keeps its state in another way."""
    if (version := found.values.get("schema_version")) != SCHEMA_VERSION:
        raise ConfigurationError(
            f"The run {run_id!r} was saved in layout {version}; this version reads layout {SCHEMA_VERSION}.",
            "Resume it with the version that started it.",
        )


def check_answer(saved: SavedRun, answer: Answer | None) -> Answer | None:
    """The answer as the run takes it; raises `ConfigurationError` when it is not allowed or nothing was asked."""
    if answer is None:
        return None
    if saved.approval is None:
        raise ConfigurationError(f"The run {saved.run_id!r} does not wait for an answer.", "Leave it out.")
    return taken(saved.approval, answer) if isinstance(answer, Decision) else decided(saved.approval, answer)


def answer_to(saved: SavedRun, answer: Answer) -> Any:
    """An answer as LangGraph takes it. Of several that wait it is for the first; to end the run is for all of them.

    It is given to its question by name: LangGraph would keep one without and, after a crash, answer the next with it.
    """
    plain = answer.model_dump() if isinstance(answer, Decision) else answer
    ends = isinstance(answer, Decision) and answer.decision == "abort"
    return dict.fromkeys(saved.pauses if ends else saved.pauses[:1], plain)


def with_unfinished(found: "StateSnapshot") -> TeamState:
    """The saved state, with the refusals inside a box that was left before its end, and what was written there when
    nothing was measured yet.
    """
    state = cast(TeamState, found.values)
    for task in found.tasks:
        inner = getattr(task.state, "values", {})
        if found.interrupts and "best" not in state:
            written = {**inner, **inner.get("held", {})}
            texts = {key: written[key] for key in ("specs", "tests", "code") if key in written}
            candidates = latest_by_id(state.get("candidates", []), written.get("candidates", []))
            state = cast(TeamState, {**state, **texts, "candidates": candidates})
        for key in ("rejections", "audit", "suspicions"):
            if key in inner:
                state = cast(TeamState, {**state, key: merge_by_id(cast("list[Any]", state.get(key, [])), inner[key])})
    return state
