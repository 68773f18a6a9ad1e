"""Where a run asks a person, and when it is worth asking. Plain rules over what was measured: no model has a say."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, cast, get_args

Point = Literal["spec", "code", "patch", "dispute", "escalation"]
"""Where a person may decide. `spec`: specification and suite. `code`: the first candidate. `patch`: each later one.
`dispute`: what became of a dispute about tests. `escalation`: a role has used up its corrections and its tiers."""
POINTS: tuple[Point, ...] = get_args(Point)

_COST = re.compile(r"cost\s*>\s*\$?(\d{1,6}(?:\.\d{1,6})?)")
_WORDS = ("suspicion", "suite_changed")
VOCABULARY = ("cost>DOLLARS", *_WORDS)
"""Conditions that can be named."""


@dataclass(frozen=True)
class Facts:
    """What conditions are about."""

    cost: float | None
    """Dollars so far at most; `None`: some price is unknown."""
    suspicion: bool = False
    """Whether a gate has named a suspicion of tampering with the verdict."""
    suite_changed: bool = False
    """Whether the suite is another one than before the first failure."""


def read_points(text: str) -> tuple[Point, ...]:
    """`spec,code` as points, each once. Raises `ValueError` for a word that is none."""
    words = list(_parts(text))
    if unknown := [word for word in words if word not in POINTS]:
        raise ValueError(f"{unknown[0][:40]!r} is none of {', '.join(POINTS)}")
    return tuple(dict.fromkeys(cast("list[Point]", words)))


def read_conditions(text: str) -> tuple[str, ...]:
    """`cost>0.50,suspicion` as conditions. Raises `ValueError` for what is outside the vocabulary."""
    read = []
    for part in _parts(text):
        cost = _COST.fullmatch(part)
        if cost is None and part not in _WORDS:
            raise ValueError(f"{part[:40]!r} is none of {', '.join(VOCABULARY)}")
        read.append(f"cost>{cost[1]}" if cost else part)
    return tuple(dict.fromkeys(read))


def matters(conditions: Sequence[str], facts: Facts) -> bool:
    """Whether one of the conditions holds; without any, asking always matters.

    An unknown cost counts as above every limit: nobody can say that it is below.
    """
    return not conditions or any(_holds(condition, facts) for condition in conditions)


def _holds(condition: str, facts: Facts) -> bool:
    if condition == "suspicion":
        return facts.suspicion
    if condition == "suite_changed":
        return facts.suite_changed
    return facts.cost is None or facts.cost > float(condition.partition(">")[2])


def _parts(text: str) -> Iterable[str]:
    return (word for part in text.split(",") if (word := part.strip().lower()))
