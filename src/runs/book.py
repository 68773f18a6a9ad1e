"""What is kept of runs beside their checkpoints, in a LangGraph store: the ledger of each, and the list of all."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from src.ledger import Entry
from src.runs.vault import Vault

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

MAX_ENTRIES = 100_000
"""Entries that are read at most; no run makes as many calls."""
LIST = ("runs",)


class StoreBook:
    """The entries of a run's ledger; replies are sealed."""

    def __init__(self, store: "BaseStore", run_id: str, vault: Vault) -> None:
        self._store = store
        self._namespace = ("ledger", run_id)
        self._vault = vault

    def put(self, place: str, entry: Entry) -> None:
        """Keep an entry in place of an earlier one; it is on the disk when this returns."""
        reply = None if entry["reply"] is None else self._vault.pack(entry["reply"])
        self._store.put(self._namespace, place, {**entry, "reply": reply}, index=False)

    def entries(self) -> dict[str, Entry]:
        """All that is kept, by place."""
        found = self._store.search(self._namespace, limit=MAX_ENTRIES)
        return {item.key: self._opened(cast(Entry, item.value)) for item in found}

    def forget(self) -> None:
        """Delete every entry."""
        for item in self._store.search(self._namespace, limit=MAX_ENTRIES):
            self._store.delete(self._namespace, item.key)

    def _opened(self, entry: Entry) -> Entry:
        return entry if entry["reply"] is None else {**entry, "reply": self._vault.unpack(entry["reply"])}


class RunList:
    """The names of all runs, with when each was started and what it is a fork of."""

    def __init__(self, store: "BaseStore") -> None:
        self._store = store

    def add(self, run_id: str, origin: str = "") -> None:
        """Add a run. `origin`: the run, and the checkpoint of it, that it was forked from."""
        started = datetime.now(UTC).isoformat(timespec="seconds")
        self._store.put(LIST, run_id, {"started_at": started, "origin": origin}, index=False)

    def all(self) -> dict[str, dict[str, str]]:
        """`started_at` and `origin` of each run by its name, the newest first."""
        found = self._store.search(LIST, limit=MAX_ENTRIES)
        rows = {item.key: _texts(item.value) for item in found}
        return dict(sorted(rows.items(), key=lambda row: row[1]["started_at"], reverse=True))

    def of(self, run_id: str) -> dict[str, str]:
        """`started_at` and `origin` of a run; nothing for one that is older than the list."""
        found = self._store.get(LIST, run_id)
        return _texts(found.value) if found else {}

    def remove(self, run_id: str) -> None:
        """Take a run off the list."""
        self._store.delete(LIST, run_id)


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in row.items()}
