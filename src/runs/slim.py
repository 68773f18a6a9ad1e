"""A checkpointer that keeps each long text once, however many checkpoints hold it.

LangGraph writes the whole state into every checkpoint, so that a module and its suite of 20 kB each would cost some
96 kB a step although they hardly ever change. Here a checkpoint holds the hash of a long text in its place, and the
text lies compressed beside it, once for each run. Both are LangGraph's own means: a checkpointer around a checkpointer,
and a store.
"""

import base64
import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver, Checkpoint, CheckpointTuple
from langgraph.types import Send

from src.errors import ConfigurationError
from src.runs.vault import Vault

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.store.base import BaseStore

LONG = 200
"""Characters from which a text is kept apart; a hash in its place takes fewer."""

MARK = "text\x1f"
"""Begins what stands in the place of a text. A text that begins so itself is kept apart, however short it is."""

ROOM = "texts"


class Texts:
    """The long texts of runs, by their hashes, in a LangGraph store."""

    def __init__(self, store: "BaseStore", vault: Vault) -> None:
        self._store = store
        self._vault = vault
        self._long = 1 if vault.locked else LONG
        self._kept: set[tuple[str, str]] = set()

    def slim(self, value: Any, run_id: str) -> Any:
        """`value` with a hash in place of each long text in it."""
        return self._changed(value, lambda text: self._put(text, run_id))

    def full(self, value: Any, run_id: str) -> Any:
        """`value` as it was."""
        known: dict[str, str] = {}
        return self._changed(value, lambda text: self._get(text, run_id, known))

    def forget(self, run_id: str) -> None:
        """Delete every text of a run."""
        for item in self._store.search((ROOM, run_id), limit=1_000_000):
            self._store.delete((ROOM, run_id), item.key)
        self._kept = {(kept, key) for kept, key in self._kept if kept != run_id}

    def _changed(self, value: Any, change: Callable[[str], str]) -> Any:
        if isinstance(value, str):
            return change(value)
        if isinstance(value, dict):
            return {key: self._changed(part, change) for key, part in value.items()}
        if isinstance(value, list):
            return [self._changed(part, change) for part in value]
        if isinstance(value, Send):  # the whole state, for each of several developers
            return Send(value.node, self._changed(value.arg, change))
        return value

    def _put(self, text: str, run_id: str) -> str:
        if len(text) < self._long and not text.startswith(MARK) and "\0" not in text:  # a sign that Postgres refuses
            return text
        content = text.encode("utf-8", "surrogatepass")
        key = hashlib.sha256(content).hexdigest()[:40]
        if (run_id, key) not in self._kept:
            sealed = self._vault.seal(zlib.compress(content))
            self._store.put((ROOM, run_id), key, {"z": base64.b85encode(sealed).decode()}, index=False)
            self._kept.add((run_id, key))
        return MARK + key

    def _get(self, text: str, run_id: str, known: dict[str, str]) -> str:
        if not text.startswith(MARK):
            return text
        if text not in known:
            item = self._store.get((ROOM, run_id), text.removeprefix(MARK))
            if item is None:
                raise ConfigurationError(f"A text of the run {run_id!r} is missing in the database.")
            content = zlib.decompress(self._vault.open(base64.b85decode(item.value["z"])))
            known[text] = content.decode("utf-8", "surrogatepass")
        return known[text]


class SlimSaver(BaseCheckpointSaver[Any]):
    """Saves with another checkpointer, long texts apart."""

    def __init__(self, saver: BaseCheckpointSaver[Any], texts: Texts) -> None:
        super().__init__(serde=saver.serde)
        self._saver = saver
        self._texts = texts

    @property
    def config_specs(self) -> list[Any]:
        """Those of the other checkpointer."""
        return self._saver.config_specs

    def get_next_version(self, current: Any, channel: None) -> Any:
        """That of the other checkpointer."""
        return self._saver.get_next_version(current, channel)

    def put(self, config: "RunnableConfig", checkpoint: Any, metadata: Any, new_versions: Any) -> "RunnableConfig":
        """Save a checkpoint; its texts lie in the store before it is there."""
        values = self._texts.slim(checkpoint["channel_values"], _run(config))
        slim = cast(Checkpoint, {**checkpoint, "channel_values": values})
        return self._saver.put(config, slim, metadata, new_versions)

    def put_writes(
        self, config: "RunnableConfig", writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a step wrote."""
        slim = [(channel, self._texts.slim(value, _run(config))) for channel, value in writes]
        self._saver.put_writes(config, slim, task_id, task_path)

    def get_tuple(self, config: "RunnableConfig") -> CheckpointTuple | None:
        """A checkpoint as it was before it was saved."""
        found = self._saver.get_tuple(config)
        return self._full(found) if found else None

    def list(
        self,
        config: "RunnableConfig | None",
        *,
        filter: dict[str, Any] | None = None,
        before: "RunnableConfig | None" = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Checkpoints, the newest first."""
        for found in self._saver.list(config, filter=filter, before=before, limit=limit):
            yield self._full(found)

    def delete_thread(self, thread_id: str) -> None:
        """Delete a run's checkpoints and texts."""
        self._saver.delete_thread(thread_id)
        self._texts.forget(thread_id)

    def _full(self, found: CheckpointTuple) -> CheckpointTuple:
        run_id = _run(found.config)
        values = self._texts.full(found.checkpoint["channel_values"], run_id)
        writes = [
            (task, channel, self._texts.full(value, run_id)) for task, channel, value in found.pending_writes or ()
        ]
        checkpoint = cast(Checkpoint, {**found.checkpoint, "channel_values": values})
        return found._replace(checkpoint=checkpoint, pending_writes=writes)


def _run(config: "RunnableConfig") -> str:
    return str(config["configurable"]["thread_id"])
