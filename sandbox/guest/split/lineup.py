"""Whether an object of the module equals a plain value, when only the module's own `__eq__` could say so.

An `__eq__` that always says yes must not pass, one that compares honestly must. So the module is not told which value
is meant: it is asked about that value and about decoys made from it, in a random order, each for itself. It is
believed when it says yes to the value meant and no to every decoy; an object that stands for a wrong result would have
to guess which of them the test wants. The decoys are walked away from one another, not all from the value, so that the
value meant is not the one in the middle.
"""

import random
from collections.abc import Callable
from typing import Any

DECOYS = 12
_random = random.SystemRandom()


class Undecided(Exception):
    """The object says yes to values that differ, or no decoy could be made."""


def equals(ask: Callable[[Any], object], value: Any, held: Any = None) -> bool:
    """Whether the object that `ask` asks, which holds the plain value `held`, equals `value`. Raises Undecided."""
    if value is None:
        return False
    row = [(decoy, False) for decoy in decoys(value) if decoy != held] + [(value, True)]
    _random.shuffle(row)
    answers = [(ask(shown), meant) for shown, meant in row]
    if not any(answer is True for answer, meant in answers if meant):
        return False  # it may well equal a decoy
    if len(row) < 4 or any(answer is True and not meant for answer, meant in answers):
        raise Undecided
    return True


def decoys(value: Any) -> list[Any]:
    """Up to DECOYS values of the type of `value`, all different from it and from each other."""
    found: list[Any] = []
    for _ in range(DECOYS * 4):
        start = _random.choice([value, *found])
        made = _other(start)
        if len(found) < DECOYS and type(made) is type(value) and made != value and made not in found:
            found.append(made)
    return found


def _other(value: Any) -> Any:
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (int, float, complex):
        return value + _random.choice([-1, 1]) * _random.choice([1, 2, 3, 10, 7, 100, 1 + abs(int(value.real) // 2)])
    if kind is str:
        return _other_text(value)
    if kind in (list, tuple):
        return _other_items(list(value), kind)
    if kind is dict:
        return dict(_other_items(list(value.items()), list))
    if kind in (set, frozenset):
        return kind(_other_items(list(value), list))
    return _other_by_sum(value)


def _other_text(text: str) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    place = _random.randrange(len(text) + 1)
    cut = _random.choice([0, 1])
    return text[:place] + _random.choice(letters) + text[place + cut :]


def _other_items(items: list[Any], kind: Any) -> Any:
    if not items:
        return kind([_random.randrange(100)]) if kind is not list else [_random.randrange(100)]
    place = _random.randrange(len(items))
    changed = _other(items[place])
    return kind([*items[:place], changed, *items[place + 1 :]])


def _other_by_sum(value: Any) -> Any:
    import datetime

    step = _random.choice([-3, -2, -1, 1, 2, 3, 5])
    for amount in (step, datetime.timedelta(days=step)):
        try:
            return value + amount
        except (TypeError, OverflowError):
            continue
    return None
