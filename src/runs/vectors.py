"""The vectors of a project's lessons, beside them in the store; each is made once for each embedding model.

A vector tells something of its text, so it is sealed as the lesson is, and goes when the lesson does.
"""

import base64
import hashlib
from array import array
from typing import TYPE_CHECKING

from src.meaning import Vector
from src.runs.vault import Vault

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

ROOM = "lesson-vectors"
MAX_VECTORS = 2_000
"""Vectors of one model that are read; more than a project's lessons are."""


class Vectors:
    """Those of one project."""

    def __init__(self, store: "BaseStore", project: str, vault: Vault) -> None:
        self._store = store
        self._project = project
        self._vault = vault

    def of(self, model: str) -> dict[str, Vector]:
        """What a model made, by the key of the lesson."""
        found = self._store.search(self._room(model), limit=MAX_VECTORS)
        return {item.key: array("f", base64.b85decode(self._vault.unpack(item.value))) for item in found}

    def keep(self, model: str, key: str, vector: Vector) -> None:
        """Keep a vector in place of an earlier one."""
        kept = self._vault.pack(base64.b85encode(vector.tobytes()).decode())
        self._store.put(self._room(model), key, kept, index=False)

    def forget(self, key: str) -> None:
        """Delete every vector of a lesson."""
        for room in self._store.list_namespaces(prefix=(ROOM, self._project)):
            self._store.delete(tuple(room), key)

    def _room(self, model: str) -> tuple[str, str, str]:
        return ROOM, self._project, hashlib.sha256(model.encode()).hexdigest()[:16]
