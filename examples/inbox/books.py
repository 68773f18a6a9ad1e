"""Contacts and calendar as JSON files."""

import json
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

from examples.inbox.ports import Contact, Event
from examples.inbox.slots import is_moment
from src.errors import ConfigurationError

_ENTRIES = TypeAdapter(list[dict[str, str]])


class JsonBook:
    """The address book: a list of people, the owner first."""

    def __init__(self, path: Path) -> None:
        """Raises `ConfigurationError` for a file that cannot be read."""
        self._people: list[Contact] = _read(path, Contact)
        if not self._people:
            raise ConfigurationError(f"{path} names nobody.", "The first entry is whose mail it is.")

    def owner(self) -> Contact:
        """Whose mail it is."""
        return self._people[0]

    def contacts(self) -> list[Contact]:
        """Everybody else."""
        return self._people[1:]


class JsonCalendar:
    """The calendar: a list of events. It is read anew each time: somebody may have changed it."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._all()

    def events(self, day: str) -> list[Event]:
        """What touches a day, in order."""
        touching = [one for one in self._all() if one["start"][:10] <= day <= one["end"][:10]]
        return sorted(touching, key=lambda one: one["start"])

    def hold(self, event: Event) -> None:
        """Put it in, unless one with its `id` is there."""
        with self._lock:
            self._put(event)

    def _put(self, event: Event) -> None:
        every = self._all()
        if all(one["id"] != event["id"] for one in every):
            whole = self._path.with_suffix(".new")  # put in its place at once: a process that dies leaves no half
            whole.write_text(json.dumps([*every, event], indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            whole.replace(self._path)

    def _all(self) -> list[Event]:
        every: list[Event] = _read(self._path, Event)
        for event in every:
            if not (is_moment(event["start"]) and is_moment(event["end"])):
                raise ConfigurationError(f"{self._path}: {event['title']!r} has no times such as 2026-12-08T10:30.")
        return every


def _read(path: Path, shape: type[Any]) -> Any:
    try:
        entries = _ENTRIES.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ConfigurationError(f"{path} cannot be read: {str(error).splitlines()[0]}.") from None
    for entry in entries:
        if missing := shape.__required_keys__ - entry.keys():
            raise ConfigurationError(f"{path}: an entry lacks {', '.join(sorted(missing))}.")
    return entries
