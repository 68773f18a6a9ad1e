"""The team for `langgraph dev` and Studio, which bring a checkpointer of their own and know no context but plain data.

So the team stands behind a node that makes a whole run of a request, and what it works with is made from the settings:
in the thread of the node that first needs it, since the server's own thread may wait for nothing.
"""

import atexit
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, NotRequired, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict  # Studio draws its form from it, which Python 3.11's own does not allow

from sandbox import Job, Limits, Sandbox, TestReport
from src.cli.crew import assemble_crew
from src.cli.execute import open_configured_sandbox
from src.config import Settings, load_settings
from src.context import RoleModel, TeamContext
from src.graph import build_graph
from src.ledger import Budget, Ledger
from src.models import describe_ladders
from src.reply import Permit, Reply, WorstCase, permitted
from src.state import ROLES, SCHEMA_VERSION, Message, Role, TeamState

log = logging.getLogger("selfheal")
Made = TypeVar("Made")


class Asked(TypedDict):
    """What a person fills in."""

    user_request: str
    """What is asked for."""
    module_name: NotRequired[str]
    """Import name of the module."""


class Told(TypedDict, total=False):
    """What comes of it."""

    status: str
    """Where the run stands."""
    specs: str
    """The specification."""
    tests: str
    """The suite."""
    best: dict[str, Any]
    """The best candidate, with its test report, which alone says whether it passed."""
    review_summary: str
    """What the reviewer says."""


class Late(Generic[Made]):
    """Something that is made when it is first asked for, once for all threads."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: list[Made] = []
        self._lock = Lock()

    def __call__(self) -> Made:
        """It. Raises what making it raises."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]


class LateModel:
    """A model of the team; its clients are imported with the first question."""

    def __init__(self, role: Role, rung: int) -> None:
        self._role = role
        self._rung = rung

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """As any model of a role."""
        return self._model().ask(messages, permit)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """As any model of a role."""
        return self._model().worst_case(messages)

    def _model(self) -> RoleModel:
        crew = _crew()
        return (crew.models[self._role], *crew.ladders.get(self._role, ()))[self._rung]


class LateSandbox:
    """The sandbox of all runs of the server, made ready with the first suite and closed with the server."""

    name = "late"

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`."""
        return _sandbox().run(job)

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs`."""
        return _sandbox().run_many(jobs)

    def prepare(self, progress: Callable[[str], None]) -> None:
        """The first suite does."""

    def settle(self) -> None:
        """Nothing waits for that."""

    def close(self) -> None:
        """The end of the server does."""

    def __enter__(self) -> "LateSandbox":
        return self

    def __exit__(self, *_: object) -> None:
        """The end of the server closes it."""


def _ready_sandbox() -> Sandbox:
    sandbox = open_configured_sandbox(_settings())
    sandbox.prepare(log.info)
    atexit.register(sandbox.close)
    return sandbox


_settings: Late[Settings] = Late(load_settings)
_crew = Late(lambda: assemble_crew(_settings(), None, {}, log.info))
_sandbox = Late(_ready_sandbox)


def _ladders() -> Mapping[Role, Sequence[RoleModel]]:
    return {
        role: [LateModel(role, rung) for rung in range(1, len(tiers))]
        for role, tiers in describe_ladders(_settings()).items()
    }


@dataclass(frozen=True)
class StudioContext(TeamContext):
    """A context that needs nothing to be given."""

    models: Mapping[Role, RoleModel] = field(default_factory=lambda: {role: LateModel(role, 0) for role in ROLES})
    """Who serves each role."""
    sandbox: Sandbox = field(default_factory=LateSandbox)
    """Where suites run."""
    limits: Limits = field(default_factory=lambda: _settings().sandbox.limits)
    """What one test run may use."""
    run_id: str = "studio"
    """Containers carry it as a label."""
    ladders: Mapping[Role, Sequence[RoleModel]] = field(default_factory=_ladders)
    """Who serves each role when the one before is at its wits' end."""
    ledger: Ledger = field(default_factory=lambda: Ledger(Budget(_settings().budget, _settings().max_tokens)))
    """Counts the calls of one leg of a run; the server keeps no ledger."""


def begin(state: Asked) -> TeamState:
    """A whole run of a request, as the settings want it."""
    settings = _settings()
    return TeamState(
        schema_version=SCHEMA_VERSION,
        user_request=state["user_request"],
        module_name=state.get("module_name") or "solution",
        iteration=0,
        max_iterations=settings.max_debug_iterations,
        max_failure_chars=settings.max_failure_chars,
        packages=None if settings.sandbox.packages else [],
        max_disputes=settings.max_disputes,
        assume=settings.assume,
        second_reading=settings.second_reading,
        developers=settings.developers,
        approve=list(settings.approve),
        approve_when=list(settings.approve_when),
        debug_history=[],
        status="starting",
    )


def make_graph() -> CompiledStateGraph[Any, StudioContext, Asked, Told]:
    """The team as the settings want it, without a checkpointer."""
    settings = _settings()
    graph: StateGraph[Any, StudioContext, Asked, Told] = StateGraph(
        TeamState, context_schema=StudioContext, input_schema=Asked, output_schema=Told
    )
    graph.add_node("begin", begin, input_schema=Asked)
    graph.add_node("team", build_graph(max_corrections=settings.max_corrections, min_tests=settings.min_tests))
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "team")
    graph.add_edge("team", END)
    return graph.compile(name="selfheal")
