"""The lessons of a project, in a LangGraph store.

A run leaves at most one lesson, under a key made of its words, and one record, under its own name. Both are the same
when they are written again after a crash, and nothing is ever added up in the database: counts are read from records.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from src.errors import ConfigurationError
from src.lessons import Lesson, Record, Worth, lesson_of, made, record_of, worth
from src.runs.database import Address
from src.runs.vault import Vault
from src.runs.vectors import Vectors
from src.state import TeamState

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

MAX_LESSONS = 1_000
"""Lessons of a project that are looked at."""
MAX_RECORDS = 5_000
"""Runs of a project that are looked at."""


class Shelf:
    """The lessons of one project; sealed where there is a key."""

    def __init__(self, store: "BaseStore", project: str, vault: Vault) -> None:
        self._store = store
        self._lessons = ("lessons", project)
        self._records = ("lesson-runs", project)
        self._vault = vault
        self._vectors = Vectors(store, project, vault)

    def all(self) -> list[tuple[Lesson, Worth]]:
        """Every lesson with how it has done, the newest first."""
        lessons, records = self.known()
        return [(one, worth(one.key, records)) for one in lessons]

    def known(self) -> tuple[list[Lesson], list[Record]]:
        """Every lesson, the newest first, and how the runs did that might have been helped."""
        lessons = [Lesson(**self._opened(item.value)) for item in self._store.search(self._lessons, limit=MAX_LESSONS)]
        records = [self._opened(item.value) for item in self._store.search(self._records, limit=MAX_RECORDS)]
        return (
            sorted(lessons, key=lambda one: (one.when, one.key), reverse=True),
            [Record(one["run_id"], one["green"], tuple(one["saw"])) for one in records],
        )

    def learn(self, run_id: str, state: TeamState, *, counts: bool) -> None:
        """Keep what a run that ended has taught. `counts`: whether it says how helpful lessons are, as a fork or a
        replay does not: it began in the middle.
        """
        lesson = lesson_of(state, run_id, datetime.now(UTC).isoformat(timespec="seconds"))
        if lesson is not None and self._store.get(self._lessons, lesson.key) is None:
            self._put(self._lessons, lesson.key, asdict(lesson))
        record = record_of(state, run_id)
        if record is not None and counts:
            self._put(self._records, run_id, asdict(record))

    def called(self, key: str) -> tuple[Lesson, Worth]:
        """The lesson whose key begins so. Raises `ConfigurationError` when there is none, or more than one."""
        found = [entry for entry in self.all() if key and entry[0].key.startswith(key)]
        if len(found) != 1:
            raise ConfigurationError(
                f"{len(found) or 'No'} lessons of this project begin with {key[:80]!r}.",
                "`selfheal lessons list` shows their names.",
            )
        return found[0]

    def edit(self, key: str, cause: str) -> Lesson:
        """Put other words in place of a lesson's. It is another lesson then, which nothing is known of."""
        old, _ = self.called(key)
        if not cause.strip():
            raise ConfigurationError("The lesson would be empty.", f"Forget it with: selfheal lessons forget {old.key}")
        new = made(cause, old.request, old.run_id, old.when)
        self._put(self._lessons, new.key, asdict(new))
        if new.key != old.key:
            self._delete(old.key)
        return new

    def forget(self, key: str) -> Lesson:
        """Delete a lesson. A run that finds the same cause again brings it back."""
        lesson, _ = self.called(key)
        self._delete(lesson.key)
        return lesson

    def _delete(self, key: str) -> None:
        self._store.delete(self._lessons, key)
        self._vectors.forget(key)

    def _put(self, namespace: tuple[str, str], key: str, value: dict[str, Any]) -> None:
        self._store.put(namespace, key, self._vault.pack(value), index=False)

    def _opened(self, value: dict[str, Any]) -> dict[str, Any]:
        try:
            return cast("dict[str, Any]", self._vault.unpack(value))
        except ConfigurationError:
            raise ConfigurationError(
                "The lessons of this project are encrypted with another RUNS_KEY.",
                "Set the key that they were saved with, or run without lessons: --no-lessons.",
            ) from None


@contextmanager
def open_shelf(address: Address, project: str) -> Iterator[Shelf]:
    """The lessons of a project. Raises `ConfigurationError` when the database cannot be used."""
    with address.open() as database:
        yield Shelf(database.store, project, database.vault)
