"""What the owner likes, kept across runs in the store.

Only the owner's command writes here. No model has a tool for it, so no mail can say what the owner likes.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from langgraph.store.base import BaseStore

from examples.inbox.slots import Rules, rules_of
from src.errors import ConfigurationError
from src.lessons import key_of
from src.runs.vault import Vault
from src.text import one_line

MAX_PREFERENCES = 30
"""Preferences that are kept of somebody at most: all of them go into every call."""
MAX_TEXT = 300
"""Characters of one at most."""


@dataclass(frozen=True)
class Preference:
    """One preference."""

    key: str
    """Made from its words, so that the same preference is kept once."""
    text: str
    """The owner's words, in one harmless line."""
    when: str
    """When it was said (ISO 8601, UTC)."""


class Preferences:
    """The preferences of one owner; those of others lie in a namespace of their own."""

    def __init__(self, store: BaseStore, vault: Vault, owner: str) -> None:
        """`owner`: an address."""
        self._store, self._vault = store, vault
        self._place = ("inbox", "preferences", sha256(owner.lower().encode()).hexdigest()[:16])

    def remember(self, text: str) -> Preference:
        """Keep it; said again it is kept once, as the latest. Raises `ConfigurationError` for none, or one too many."""
        told = one_line(text, MAX_TEXT)
        key = key_of(told)
        kept = [one.key for one in self.all()]
        if not told or len(text) > MAX_TEXT:
            raise ConfigurationError(f"A preference has 1 to {MAX_TEXT} characters.")
        if key not in kept and len(kept) >= MAX_PREFERENCES:
            raise ConfigurationError(f"{MAX_PREFERENCES} preferences are kept already.", "Forget one first.")
        when = datetime.now(UTC).isoformat()
        self._store.put(self._place, key, self._vault.pack({"text": told, "when": when}))
        return Preference(key, told, when)

    def forget(self, key: str) -> None:
        """Raises `ConfigurationError` when there is no such preference."""
        if key not in [one.key for one in self.all()]:
            raise ConfigurationError(f"There is no preference {key[:40]!r}.")
        self._store.delete(self._place, key)

    def all(self) -> list[Preference]:
        """Every preference, the latest last."""
        found = [(item.key, self._vault.unpack(item.value)) for item in self._store.search(self._place, limit=1000)]
        return sorted((Preference(key, kept["text"], kept["when"]) for key, kept in found), key=lambda one: one.when)

    @property
    def rules(self) -> Rules:
        """The rules for meetings that they hold."""
        return rules_of(one.text for one in self.all())
