"""How near lessons are to a request by what they mean: vectors of an embedding model, compared here.

A project has hundreds of lessons, so every one is compared: no index of a database, none of which is there in both
databases, knows the dimensions of a model beforehand, or takes what is encrypted.

How near two texts are that have nothing in common differs from model to model (0.1 with one, 0.7 with the next). So
each score is counted from what a model gives for the request and tasks of other kinds.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from operator import mul
from statistics import median
from typing import TypeAlias

MAX_TEXTS = 100
"""Texts of one request to an embedding model at most; more is refused by some providers."""
MAX_CHARACTERS = 1_000
"""Characters of each of them at most, so that none is longer than a model reads."""
NEAR = 0.2
"""The least score of a lesson that is told: 0 is as near as tasks of other kinds are, 1 the same text."""
OTHERS: Mapping[str, str] = {
    "other-dates": "Count the working days between two dates. The last day was counted as well.",
    "other-parsing": "Parse a configuration file into sections. A comment at the end of a line was taken for a value.",
    "other-graphs": "Find the shortest path in a weighted graph. A node was marked as visited before it was taken out.",
    "other-money": "Split an amount of money into equal parts. The cents that were left over got lost in the rounding.",
    "other-threads": "A queue for several threads. Two of them read the counter before either had written it.",
}
"""Tasks of other kinds, each with a root cause, by names that no lesson has. A request may be near to one of them: the
middle one counts."""

Vector: TypeAlias = "array[float]"
"""Of length 1, so that the product of two is the cosine between them."""


def unit(numbers: Sequence[float]) -> Vector:
    """The direction that some numbers give. Raises `ValueError` when they give none."""
    length = math.hypot(*numbers)
    if not 0 < length < math.inf:
        raise ValueError("a vector without a direction")
    return array("f", [number / length for number in numbers])


def nearness(request: Vector, vectors: Mapping[str, Vector]) -> dict[str, float]:
    """The score of each lesson that is near enough, by its key. `vectors`: those of lessons and of `OTHERS`."""
    cosines = {key: sum(map(mul, request, vector)) for key, vector in vectors.items() if len(vector) == len(request)}
    base = min(median([cosines.pop(key) for key in OTHERS if key in cosines] or [0.0]), 0.99)
    scores = {key: (cosine - base) / (1 - base) for key, cosine in cosines.items()}
    return {key: score for key, score in scores.items() if score >= NEAR}
