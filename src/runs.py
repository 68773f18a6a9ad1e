"""Start a run, resume it, look at what it saved. The only owner of the checkpointer.

    runs = Runs(Path(".selfheal/runs.sqlite"))
    state = runs.start("Build a …", context)        # context: TeamContext, whose run_id names the run
    state = runs.resume("a-run-7f3a", context)      # after a crash or an interruption

A run is a thread of LangGraph with a checkpoint after every step, so that a killed process loses nothing that was
paid for.
"""

import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from src.approvals import Approval, decided, pending
from src.errors import ConfigurationError
from src.events import EventSink, NodeFinished, NodeName, NodeStarted
from src.gates.suite import MIN_TESTS
from src.ledger import Entry, calls_of
from src.state import MAX_ASKED, MAX_ROUNDS, SCHEMA_VERSION, Assume, Call, TeamState, merge_by_id

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.store.base import BaseStore
    from langgraph.types import Command, StateSnapshot

    from src.context import TeamContext
    from src.graph import TeamGraph

RECURSION_MARGIN = 10
"""Steps beyond the longest honest run; the limit is a net under our own counters that no run may reach."""

MAX_ENTRIES = 100_000
"""Entries of a ledger that are read; no run makes as many calls."""

NOTE = "note:"
"""Marks our own entries among the metadata of a checkpoint."""


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


class Runs:
    """Runs of the team in one SQLite database at `path`, which is made when it is not there."""

    def __init__(
        self,
        path: Path,
        *,
        max_corrections: int = 2,
        min_tests: int = MIN_TESTS,
    ) -> None:
        """What the numbers mean: see `build_graph`."""
        self._path = path
        self._max_corrections = max_corrections
        self._min_tests = min_tests

    def start(
        self,
        request: str,
        context: "TeamContext",
        *,
        module_name: str = "solution",
        max_iterations: int = 3,
        max_failure_chars: int = 6000,
        extra_packages: bool = False,
        max_disputes: int = 2,
        assume: Assume = "list",
        second_reading: bool = True,
        notes: Mapping[str, str] | None = None,
    ) -> TeamState:
        """Run the team on `request` until its end, or until a person is asked something, and return the last state.

        `max_failure_chars`: how much the debugger is told of a failure. `extra_packages`: whether generated code has
        more than the standard library. `assume`, `second_reading`: what becomes of behaviour that the request leaves
        open; see `src.state`.

        Raises `SandboxError` and `TeamError` for faults of ours, and `ConfigurationError` when a run of that name
        exists. What was reached until then is saved.
        """
        state = TeamState(
            schema_version=SCHEMA_VERSION,
            user_request=request,
            module_name=module_name,
            iteration=0,
            max_iterations=max_iterations,
            max_failure_chars=max_failure_chars,
            packages=None if extra_packages else [],
            max_disputes=max_disputes,
            assume=assume,
            second_reading=second_reading,
            debug_history=[],
            status="starting",
        )
        with self._graph() as (graph, store):
            if graph.get_state(_thread(context.run_id)).values:
                raise ConfigurationError(f"There is a run called {context.run_id!r} already.", "Choose another name.")
            return self._drive(graph, state, _counted(context, store), notes or {})

    def resume(self, run_id: str, context: "TeamContext", answer: str | None = None) -> TeamState:
        """Go on with a run where it stopped; `answer` is the answer to what it asks a person.

        A run that is finished, or asks something and gets no answer, is returned as it is, and nothing is called.
        Raises what `start` raises, and `ConfigurationError` for a run that is unknown or of another version, and for
        an answer that is not allowed or that nothing asked for.
        """
        from langgraph.types import Command

        saved = self.saved(run_id)
        decision = check_answer(saved, answer)
        if saved.finished or (saved.approval and decision is None):
            return saved.state
        given: Command[Any] | None = None if decision is None else Command(resume=decision)
        with self._graph() as (graph, store):
            return self._drive(graph, given, _counted(context, store), saved.notes)

    def saved(self, run_id: str) -> SavedRun:
        """The last saved state of a run; raises `ConfigurationError` when there is none that can be read."""
        with self._graph() as (graph, store):
            found = graph.get_state(_thread(run_id), subgraphs=True)
            calls = calls_of(_StoreBook(store, run_id).entries().values())
        if not found.values:
            raise ConfigurationError(
                f"There is no run called {run_id!r} in {self._path.absolute()}.",
                "Go to the folder that the run was started in, or set RUNS_PATH to its database.",
            )
        if (version := found.values.get("schema_version")) != SCHEMA_VERSION:
            raise ConfigurationError(
                f"The run {run_id!r} was saved in layout {version}; this version reads layout {SCHEMA_VERSION}.",
                "Resume it with the version that started it.",
            )
        notes = {key.removeprefix(NOTE): str(value) for key, value in (found.metadata or {}).items() if NOTE in key}
        asked = pending(found.interrupts[0].value) if found.interrupts else None
        return SavedRun(run_id, _with_unfinished(found), calls, notes, finished=not found.next, approval=asked)

    def _drive(
        self,
        graph: "TeamGraph",
        given: "TeamState | Command[Any] | None",
        context: "TeamContext",
        notes: Mapping[str, str],
    ) -> TeamState:
        """Run the graph in this thread, so that an interrupt reaches the node at work, and pass on what it does.

        `durability="sync"`: a step is on disk before the next one begins. Subgraphs and custom streams stay off:
        they would move the nodes into other threads.
        """
        thread = _thread(context.run_id)
        begun = cast(TeamState, given if isinstance(given, dict) else graph.get_state(thread).values)
        config: RunnableConfig = {
            **thread,
            "metadata": {NOTE + key: value for key, value in notes.items()},
            "recursion_limit": longest(begun, self._max_corrections, _rungs(context)) + RECURSION_MARGIN,
        }
        tasks = graph.stream(given, config, context=context, stream_mode="tasks", durability="sync")
        _tell(cast("Iterator[dict[str, Any]]", tasks), context.on_event, begun.get("iteration", 0))
        return cast(TeamState, graph.get_state(thread).values)

    @contextmanager
    def _graph(self) -> "Iterator[tuple[TeamGraph, BaseStore]]":
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.store.sqlite import SqliteStore

        from src.graph import build_graph

        self._path.parent.mkdir(parents=True, exist_ok=True)
        path = str(self._path)
        with SqliteSaver.from_conn_string(path) as checkpointer, SqliteStore.from_conn_string(path) as store:
            store.setup()
            graph = build_graph(
                max_corrections=self._max_corrections,
                min_tests=self._min_tests,
                checkpointer=checkpointer,
            )
            yield graph, store


class _StoreBook:
    """The entries of a run's ledger in a LangGraph store."""

    def __init__(self, store: "BaseStore", run_id: str) -> None:
        self._store = store
        self._namespace = ("ledger", run_id)

    def put(self, place: str, entry: Entry) -> None:
        self._store.put(self._namespace, place, cast("dict[str, Any]", entry), index=False)

    def entries(self) -> dict[str, Entry]:
        found = self._store.search(self._namespace, limit=MAX_ENTRIES)
        return {item.key: cast(Entry, item.value) for item in found}


def _counted(context: "TeamContext", store: "BaseStore") -> "TeamContext":
    """The same context, with its ledger kept in the database."""
    return replace(context, ledger=context.ledger.kept_in(_StoreBook(store, context.run_id)))


def check_answer(saved: SavedRun, answer: str | None) -> str | None:
    """The answer as the run takes it; raises `ConfigurationError` when it is not allowed or nothing was asked."""
    if answer is None:
        return None
    if saved.approval is None:
        raise ConfigurationError(f"The run {saved.run_id!r} does not wait for an answer.", "Leave out --answer.")
    return decided(saved.approval, answer)


def new_run_id(request: str) -> str:
    """A name that a person can read and type, for example `in-memory-sliding-window-rate-7f3a`."""
    words = [word for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", request.lower()) if word not in _FILLERS]
    return "-".join([*words[:3], secrets.token_hex(2)])[:60]


_FILLERS = frozenset(
    {"a", "an", "and", "build", "class", "create", "function", "implement", "in", "make", "me", "module", "of"}
    | {"please", "python", "that", "the", "write"}
)


def _thread(run_id: str) -> "RunnableConfig":
    return {"configurable": {"thread_id": run_id}}


def _with_unfinished(found: "StateSnapshot") -> TeamState:
    """The saved state, with the refusals inside a box that was left before its end."""
    state = cast(TeamState, found.values)
    for task in found.tasks:
        inner = getattr(task.state, "values", {})
        for key in ("rejections", "audit", "suspicions"):
            if key in inner:
                state = cast(TeamState, {**state, key: merge_by_id(cast("list[Any]", state.get(key, [])), inner[key])})
    return state


def _tell(tasks: "Iterator[dict[str, Any]]", on_event: EventSink, iteration: int) -> None:
    """Turn LangGraph's account of its tasks into our events; a task that failed has no end."""
    started: dict[str, float] = {}
    for task in tasks:
        node = cast(NodeName, task["name"])
        if "result" not in task:
            started[task["id"]] = time.monotonic()
            on_event(NodeStarted(node, iteration))
        elif not task.get("error") and not task.get("interrupts"):
            update = dict(task["result"])
            iteration = update.get("iteration", iteration)
            on_event(NodeFinished(node, time.monotonic() - started[task["id"]], update))


def _rungs(context: "TeamContext") -> int:
    """Tiers of the longest ladder."""
    return max(len(context.rungs(role)) for role in context.models)


def longest(state: TeamState, max_corrections: int, rungs: int = 1) -> int:
    """Steps of the longest honest run: two authors, a test, two steps for each iteration, the review. Before them, for
    each round, the second reading and two looks at the assumptions, and every question to a person.

    An iteration that disputes tests has a step more. The boxes count their steps by themselves, under the same limit:
    author, gate, measurement and verdict for each correction of each of `rungs` tiers.
    """
    reading = 4 * (1 + MAX_ROUNDS) + MAX_ASKED
    disputes = min(state.get("max_disputes", 0), state["max_iterations"])
    return max(4 + reading + 2 * state["max_iterations"] + disputes, 4 * (1 + max_corrections) * rungs)
