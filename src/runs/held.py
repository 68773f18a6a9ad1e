"""What both databases have in common: what opening one gives, and what is said when a run is at work."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

from src.errors import ConfigurationError

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

THREADS = "SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = ''"
"""LangGraph's checkpointers list checkpoints, never the threads alone, and reading every checkpoint takes long."""


class Opened(NamedTuple):
    """A database that was opened."""

    checkpointer: "BaseCheckpointSaver[Any]"
    """LangGraph's own."""
    store: "BaseStore"
    """LangGraph's own."""
    held: Callable[[str], AbstractContextManager[None]]
    """Holds a run; raises `AtWork`."""
    threads: Callable[[], list[str]]
    """Names of all runs that have a checkpoint."""


class AtWork(ConfigurationError):
    """Another process, or another thread of this one, works on the run."""

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"Another process is at work on the run {run_id!r}.", "Wait until it is done, or stop it; then try again."
        )
