"""Runs of the team in a database."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from src.approvals import Answer
from src.errors import ConfigurationError, ProviderError, Stopped
from src.gates.suite import MIN_TESTS
from src.ledger import calls_of
from src.policy import Point
from src.runs.book import RunList, StoreBook
from src.runs.database import Address, Database
from src.runs.edits import Changes, branch_of
from src.runs.hints import Library
from src.runs.left_out import leave_out
from src.runs.listed import VERSION, all_names, check_free, is_at_work, unknown
from src.runs.names import check_name
from src.runs.saved import SavedRun, Step, UnreadableRun, answer_to, check_answer, first_state, saved_run, steps_of
from src.runs.shelf import Shelf
from src.runs.steps import longest, rungs_of, tell
from src.runs.travel import begun, noted, nothing_new, replies_until, step_called
from src.state import Assume, TeamState

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.types import Command

    from src.context import TeamContext
    from src.graph import TeamGraph

RECURSION_MARGIN = 10
"""Steps beyond the longest honest run; the limit is a net under our own counters that no run may reach."""


class Runs:
    """Runs of the team in one database, which is made when it is not there. Usable from several threads at once."""

    def __init__(
        self,
        where: Path | Address,
        *,
        max_corrections: int = 2,
        min_tests: int = MIN_TESTS,
    ) -> None:
        """`where`: the file of a SQLite database, or an address. What the numbers mean: see `build_graph`."""
        self._address = where if isinstance(where, Address) else Address(where)
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
        developers: int = 1,
        approve: Sequence[Point] = (),
        approve_when: Sequence[str] = (),
        notes: Mapping[str, str] | None = None,
        lessons: str | None = None,
    ) -> TeamState:
        """Run the team on `request` until its end, or until a person is asked something, and return the last state.

        `max_failure_chars`: how much the debugger is told of a failure. `extra_packages`: whether generated code has
        more than the standard library. `assume`, `second_reading`: what becomes of behaviour that the request leaves
        open; see `src.state`. `developers`: how many write a module each, at once. `approve`, `approve_when`: where a
        person decides, and when; see `src.policy`. `lessons`: the project whose lessons are told, and added to.

        Raises `SandboxError` and `TeamError` for faults of ours, and `ConfigurationError` when a run of that name
        exists. What was reached until then is saved.
        """
        state = TeamState(
            **first_state(request),
            module_name=module_name,
            max_iterations=max_iterations,
            max_failure_chars=max_failure_chars,
            packages=None if extra_packages else [],
            max_disputes=max_disputes,
            assume=assume,
            second_reading=second_reading,
            developers=developers,
            approve=list(approve),
            approve_when=list(approve_when),
        )
        with self._open() as (graph, database), database.held(check_name(context.run_id)):
            check_free(context.run_id, database)
            library = Library(lessons, database)
            kept = {**(notes or {}), **({} if lessons is None else {"lessons": lessons})}
            database.checkpointer.delete_thread(context.run_id)  # what one that was killed at once has left
            RunList(database.store).add(context.run_id)
            state.update(library.told(request, _counted(context, database)))
            return self._drive(graph, state, context, kept, database)

    def resume(self, run_id: str, context: "TeamContext", answer: Answer | None = None) -> TeamState:
        """Go on with a run where it stopped; `answer` is the answer to what it asks a person, in words or a decision.

        A run that is finished, or asks something and gets no answer, is returned as it is, and nothing is called.
        Raises what `start` raises, and `ConfigurationError` for a run that is unknown or of another version, and for
        an answer that is not allowed or that nothing asked for.
        """
        from langgraph.types import Command

        self.saved(run_id)  # a name that is unknown holds nothing
        with self._open() as (graph, database), database.held(run_id):
            saved = self._saved(run_id, graph, database)
            decision = check_answer(saved, answer)
            if saved.finished or (saved.approval and decision is None):
                return saved.state
            given: Command[Any] | None = None if decision is None else Command(resume=answer_to(saved, decision))
            return self._drive(graph, given, context, saved.notes, database)

    def replay(self, run_id: str, at: str, context: "TeamContext", notes: Mapping[str, str] | None = None) -> TeamState:
        """Run again from a step of a run, given by its number or its checkpoint; the models are asked anew.

        The checkpoints of before stay. A new one begins the replay, so that LangGraph gives its tasks new names: their
        replies are none of the earlier ones, and a replay that is killed is resumed as any run is.
        Raises what `start` raises, and `ConfigurationError` for a step that does not exist or ends the run.
        """
        with self._open() as (graph, database), database.held(run_id):
            saved, step = self._step(run_id, at, graph, database)
            branch = branch_of(step, {}, context, self._min_tests)
            kept = {**saved.notes, **(notes or {}), "replayed": "yes"}
            config = begun(run_id, branch.done, kept, step.checkpoint_id)
            graph.update_state(config, nothing_new(branch), as_node=branch.done)
            return self._drive(graph, None, context, kept, database)

    def fork(
        self,
        run_id: str,
        at: str,
        context: "TeamContext",
        changes: Changes | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> TeamState:
        """Make a new run, named by the context, from a step of another one, and run it; the other stays as it is.

        `changes`: new values for parts of the state; see `src.runs.edits`. Raises what `replay` raises, and
        `ConfigurationError` for a change that a gate refuses.
        """
        with self._open() as (graph, database), database.held(check_name(context.run_id)):
            check_free(context.run_id, database)
            _, step = self._step(run_id, at, graph, database)
            branch = branch_of(step, changes or {}, context, self._min_tests)
            RunList(database.store).add(context.run_id, origin=f"{run_id}@{step.number}")
            graph.update_state(begun(context.run_id, branch.done, notes or {}), branch.state, as_node=branch.done)
            return self._drive(graph, None, context, notes or {}, database)

    def replies_until(self, run_id: str, at: str) -> dict[str, int]:
        """How many answers each role, or each of several developers (`developer 2`), had given until a step.

        Raises `ConfigurationError` as `replay` does.
        """
        with self._open() as (graph, database):
            saved, step = self._step(run_id, at, graph, database)
            found = list(graph.get_state_history(_thread(run_id)))
            return dict(replies_until(step.checkpoint_id, found, database.checkpointer, saved.calls))

    def saved(self, run_id: str) -> SavedRun:
        """The last saved state of a run; raises `ConfigurationError` when there is none that can be read."""
        with self._open() as (graph, database):
            return self._saved(run_id, graph, database)

    def all(self) -> Iterator[SavedRun | UnreadableRun]:
        """Every run, the newest first; of one that this version cannot read, only the name and why."""
        with self._open() as (graph, database):
            started = RunList(database.store).all()
            for run_id in all_names(database):
                try:
                    saved = self._saved(run_id, graph, database)
                    yield saved if saved.finished else replace(saved, at_work=is_at_work(run_id, database))
                except ConfigurationError as error:
                    yield UnreadableRun(run_id, error.message, started.get(run_id, {}).get("started_at", ""))

    def names(self) -> list[str]:
        """The names of all runs, the newest first."""
        with self._address.open() as database:
            return all_names(database)

    def check_free(self, run_id: str) -> None:
        """Raise `ConfigurationError` when there is a run of that name."""
        with self._address.open() as database:
            check_free(run_id, database)

    def history(self, run_id: str) -> list[Step]:
        """Every checkpoint of a run, the first one first. Raises `ConfigurationError` as `saved` does."""
        with self._open() as (graph, database):
            self._saved(run_id, graph, database)
            entries = StoreBook(database.store, run_id, database.vault).entries()
            return steps_of(list(graph.get_state_history(_thread(run_id))), list(entries.values()))

    def check_known(self, run_id: str) -> None:
        """Raise `ConfigurationError` when there is no run of that name."""
        with self._address.open() as database:
            if run_id not in all_names(database):
                raise unknown(run_id, database, self._address)

    def delete(self, run_id: str) -> None:
        """Delete all that is kept of a run, one that cannot be read too.

        Raises `ConfigurationError` when it is unknown, and `AtWork`.
        """
        self.check_known(run_id)
        with self._address.open() as database, database.held(run_id):
            database.checkpointer.delete_thread(run_id)
            StoreBook(database.store, run_id, database.vault).forget()
            RunList(database.store).remove(run_id)

    def _saved(self, run_id: str, graph: "TeamGraph", database: Database) -> SavedRun:
        try:
            found = graph.get_state(_thread(run_id), subgraphs=True)
        except NotImplementedError:  # what LangGraph raises for a state that was encrypted, where there is no key
            raise ConfigurationError(f"The run {run_id!r} is encrypted.", "Set RUNS_KEY to its key.") from None
        except UnicodeEncodeError:  # a name that is no text, which no run has
            raise unknown(run_id, database, self._address) from None
        if VERSION not in found.values:  # nothing, or the request alone, which LangGraph saves before the state
            raise unknown(run_id, database, self._address)
        calls = calls_of(StoreBook(database.store, run_id, database.vault).entries().values())
        return saved_run(run_id, found, calls, RunList(database.store).of(run_id))

    def _step(self, run_id: str, at: str, graph: "TeamGraph", database: Database) -> tuple[SavedRun, Step]:
        saved = self._saved(run_id, graph, database)
        return saved, step_called(steps_of(list(graph.get_state_history(_thread(run_id)))), at)

    def _drive(
        self,
        graph: "TeamGraph",
        given: "TeamState | Command[Any] | None",
        context: "TeamContext",
        notes: Mapping[str, str],
        database: Database,
    ) -> TeamState:
        """Run the graph in this thread, so that an interrupt reaches the node at work, and pass on what it does.

        `durability="sync"`: a step is on disk before the next one begins. Subgraphs and custom streams stay off:
        they would move the nodes into other threads. Several developers are in others, and this one waits for them.
        """
        from langgraph.errors import GraphDrained

        thread = _thread(context.run_id)
        begun = cast(TeamState, given if isinstance(given, dict) else graph.get_state(thread).values)
        config: RunnableConfig = {
            **thread,
            "metadata": noted(notes),
            "recursion_limit": longest(begun, self._max_corrections, rungs_of(context)) + RECURSION_MARGIN,
        }
        if (developers := begun.get("developers", 1)) > 1:
            config["max_concurrency"] = developers  # LangGraph's own default depends on the processor
        options: dict[str, Any] = {"stream_mode": "tasks", "durability": "sync", "control": context.control}
        counted = _counted(context, database)
        while True:
            tasks = graph.stream(given, config, context=counted, **options)
            try:
                tell(cast("Iterator[dict[str, Any]]", tasks), context.on_event, begun.get("iteration", 0))
            except GraphDrained as drained:
                raise Stopped(f"The run was stopped: {drained.reason}") from None
            except ProviderError as error:
                if not leave_out(graph, context.run_id, notes, error, context.on_event):
                    raise
                given = None  # the run goes on from there, and with no developer left it comes here no more
            else:
                break
        ended = graph.get_state(thread)
        state = cast(TeamState, ended.values)
        if "lessons" in notes and not ended.next:
            from_start = not RunList(database.store).of(context.run_id).get("origin") and "replayed" not in notes
            Shelf(database.store, notes["lessons"], database.vault).learn(context.run_id, state, counts=from_start)
        return state

    @contextmanager
    def _open(self) -> "Iterator[tuple[TeamGraph, Database]]":
        from src.graph import build_graph

        with self._address.open() as database:
            graph = build_graph(
                max_corrections=self._max_corrections,
                min_tests=self._min_tests,
                checkpointer=database.checkpointer,
            )
            yield graph, database


def _counted(context: "TeamContext", database: Database) -> "TeamContext":
    """The same context, with its ledger kept in the database."""
    return replace(context, ledger=context.ledger.kept_in(StoreBook(database.store, context.run_id, database.vault)))


def _thread(run_id: str) -> "RunnableConfig":
    return {"configurable": {"thread_id": run_id}}
