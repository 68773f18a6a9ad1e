"""What each node did, told as it happens."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler


@dataclass(frozen=True)
class NodeDone:
    """A node is done."""

    path: tuple[str, ...]
    """The boxes that it lies in, the outermost first."""
    node: str
    """Its name."""
    update: Mapping[str, Any]
    """The part of the state that it changed."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The state that it was given."""


class NodeWatcher(BaseCallbackHandler):
    """Tells of each node, those inside boxes too.

    Streaming with `subgraphs=True` would tell as much, but moves nodes into other threads, and Ctrl-C would wait for
    the models there.
    """

    raise_error = True

    def __init__(self, tell: Callable[[NodeDone], None]) -> None:
        self._tell = tell
        self._begun: dict[UUID, tuple[tuple[str, ...], Mapping[str, Any]]] = {}

    def on_chain_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002
        inputs: dict[str, Any],
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **_more: Any,
    ) -> None:
        """Remember where a node lies; LangGraph marks nodes, and nothing else, by the number of the step."""
        if metadata and any(tag.startswith("graph:step:") for tag in tags or ()):
            boxes = str(metadata["langgraph_checkpoint_ns"]).split("|")
            self._begun[run_id] = tuple(box.partition(":")[0] for box in boxes), inputs

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_more: Any) -> None:
        """Tell of a node that is done. One that waits for a person is not."""
        if run_id in self._begun:
            place, given = self._begun.pop(run_id)
            self._tell(NodeDone(place[:-1], place[-1], outputs, given))
