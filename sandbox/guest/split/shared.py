"""Lists, dicts, sets, bytearrays and deques that both sides hold: two replicas of each, kept the same.

A mutable container crosses once with all that is in it and from then on by its number. Every later message, either
way, also carries the new contents of those that changed since the last one. As one side waits while the other works,
what the module does to a list is there when its call returns, what the test does is there when the next call begins,
and two names for one list stay one list. A container that nobody on one side can reach any more is forgotten on both.
"""

import collections
import sys
from operator import is_
from typing import Any

from .wire import Malformed, Values

TAGS: "dict[type, str]" = {
    list: "l",
    dict: "d",
    set: "s",
    bytearray: "a",
    collections.deque: "q",
    collections.OrderedDict: "o",
    collections.Counter: "c",
    collections.defaultdict: "f",
}
TYPES = {tag: kind for kind, tag in TAGS.items()}
MAPPINGS = "docf"


class Entry:
    """One container: our replica, and what was in it when both were last the same."""

    __slots__ = ("seen", "tag", "value")

    def __init__(self, tag: str, value: Any) -> None:
        self.tag, self.value = tag, value
        self.seen: list[Any] = []

    def contents(self) -> list[Any]:
        """What is in it, flat."""
        if self.tag in MAPPINGS:
            return [part for pair in self.value.items() for part in pair]
        return list(self.value)

    def fill(self, contents: list[Any]) -> None:
        """Put `contents` in place of what was there."""
        if self.tag in "la":
            self.value[:] = contents if self.tag == "l" else bytes(contents)
        elif self.tag in MAPPINGS:
            parts = iter(contents)
            self.value.clear()
            for key in parts:
                self.value[key] = next(parts)
        else:
            self.value.clear()
            (self.value.update if self.tag == "s" else self.value.extend)(contents)
        self.seen = self.contents()

    def changed(self) -> bool:
        """Whether our replica is no longer what both sides saw."""
        now = self.contents()
        return len(now) != len(self.seen) or not all(map(is_, now, self.seen))


def _references() -> int:
    entry = Entry("l", [])
    return sys.getrefcount(entry.value)


UNREACHABLE = _references()
"""The references to a container that an entry alone holds."""


class Shared(Values):
    """Values with containers that are shared."""

    first_number = 1

    def __init__(self) -> None:
        super().__init__()
        self.entries: dict[int, Entry] = {}
        self.numbers: dict[int, int] = {}
        self.leaving: dict[int, Any] = {}
        self.dropped_by_peer: list[int] = []
        self.next_number = self.first_number
        for kind, tag in TAGS.items():
            self.encoders[kind] = self._encode_container
            self.decoders[tag] = lambda items, tag=tag: self._decode_container(tag, items)  # type: ignore[misc]
        self.decoders["&"] = self._decode_number

    def _encode_container(self, value: Any) -> list[Any]:
        known = self.numbers.get(id(value))
        if known is not None:
            return ["&", known]
        number, self.next_number = self.next_number, self.next_number + 2
        entry = self._remember(number, Entry(TAGS[type(value)], value))
        extra = None
        if entry.tag == "q":
            extra = value.maxlen
        elif entry.tag == "f":
            extra = self.encode(value.default_factory)
        entry.seen = entry.contents()
        return [entry.tag, number, extra, *self.encode_all(entry.seen)]

    def _remember(self, number: int, entry: Entry) -> Entry:
        self.entries[number] = entry
        self.numbers[id(entry.value)] = number
        return entry

    def _decode_container(self, tag: str, items: list[Any]) -> Any:
        number, extra = items[0], items[1]
        if type(number) is not int or number in self.entries or number % 2 == self.first_number % 2:
            raise Malformed("a container with a number that is not free")
        entry = self._remember(number, Entry(tag, self._empty(tag, extra)))
        entry.fill(self.decode_all(items[2:]))
        return entry.value

    def _empty(self, tag: str, extra: Any) -> Any:
        if tag == "q":
            return collections.deque(maxlen=extra)
        if tag == "f":
            return collections.defaultdict(self.decode(extra))
        return TYPES[tag]()

    def _decode_number(self, items: list[Any]) -> Any:
        entry = self.entries.get(items[0])
        if entry is not None:
            return entry.value
        if items[0] in self.leaving:
            return self.leaving[items[0]]
        raise Malformed("a container that was never sent")

    def changes(self) -> list[Any]:
        """What the other side has to know beside a message: new contents, what we forgot, what it forgot. Or [0]."""
        changed = []
        for number, entry in list(self.entries.items()):
            if entry.changed():
                entry.seen = entry.contents()
                changed.append([number, *self.encode_all(entry.seen)])
        forgotten = self._forget_unreachable()  # only now: the last change of one may be what it was there for
        seen, self.dropped_by_peer = self.dropped_by_peer, []
        return [changed, forgotten, seen] if changed or forgotten or seen else []

    def _forget_unreachable(self) -> list[int]:
        forgotten: list[int] = []
        for number in reversed(list(self.entries)):
            if sys.getrefcount(self.entries[number].value) <= UNREACHABLE:
                entry = self.entries.pop(number)
                del self.numbers[id(entry.value)]
                self.leaving[number] = entry.value  # until the other side says that it will not name it again
                forgotten.append(number)
        return forgotten

    def apply(self, changes: list[Any]) -> None:
        """Take over what `changes` of the other side says."""
        if not changes:
            return
        changed, forgotten, seen = changes
        for number, *contents in changed:
            values = self.decode_all(contents)  # even when it is forgotten here: new containers may be in it
            if number in self.entries:
                self.entries[number].fill(values)
        for number in forgotten:
            entry = self.entries.pop(number, None)
            if entry is not None:
                del self.numbers[id(entry.value)]
            self.dropped_by_peer.append(number)
        for number in seen:
            self.leaving.pop(number, None)
