"""What a node may use but never stores: models, the sandbox, whoever watches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sandbox import Limits, Sandbox
from src.events import EventSink, ignore
from src.ledger import Embedder, Ledger
from src.reply import Permit, Reply, WorstCase, permitted
from src.state import Message, Role

if TYPE_CHECKING:
    from concurrent.futures import Future

    from langgraph.runtime import RunControl


class RoleModel(Protocol):
    """The model that serves a role."""

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """Send a conversation and wait for the reply; `permit` is asked before each attempt but the first.

        Raises `ProviderError` when no reply can be had.
        """

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """What one attempt could use. Calls nobody."""


@runtime_checkable
class Branching(Protocol):
    """A model that tells several developers apart: a transcript, in which each has replies of its own."""

    def of(self, developer: int) -> RoleModel:
        """The model as that developer asks it."""


@dataclass(frozen=True)
class TeamContext:
    """Handed to every node by the graph's runtime; the same for a whole run."""

    models: Mapping[Role, RoleModel]
    """Who serves each role."""
    sandbox: Sandbox
    """Where suites run."""
    limits: Limits = field(default_factory=Limits)
    """What one test run may use."""
    run_id: str = ""
    """Name of the run; containers carry it as a label."""
    on_event: EventSink = ignore
    """Is told how the run goes on; while several developers work, from their threads."""
    ladders: Mapping[Role, Sequence[RoleModel]] = field(default_factory=dict)
    """Who serves each role when the one before is at its wits' end; the first of each is not in here."""
    ledger: Ledger = field(default_factory=Ledger)
    """Lets calls through as long as the budget holds, and writes them down."""
    control: "RunControl | None" = None
    """Can be asked, from any thread, to stop the run at the end of its present step."""
    interrupted: "Future[None] | None" = None
    """Done once the run is to end at once: then nobody waits any longer for what several developers are answered; with
    `None` everybody does. The thread that runs the team is interrupted by itself."""
    embedder: Embedder | None = None
    """Tells which lessons a request is near to by what they mean; without one their words do."""

    def rungs(self, role: Role) -> tuple[RoleModel, ...]:
        """Everybody who may serve a role, the first to be asked first."""
        return (self.models[role], *self.ladders.get(role, ()))
