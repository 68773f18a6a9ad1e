"""What a node may use but never stores: models, the sandbox, whoever watches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from sandbox import Limits, Sandbox
from src.events import EventSink, ignore
from src.reply import Reply
from src.state import Role

Message = tuple[Literal["system", "human", "ai"], str]
"""Who speaks, and what."""


class RoleModel(Protocol):
    """The model that serves a role."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Send a conversation and wait for the reply; raises `ProviderError` when none can be had."""


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
    """Is told how the run goes on."""
