"""What the request leaves open, as it goes from node to node: assumptions, what the second reading said of them, and
what is asked of a person.
"""

from typing import Literal, TypedDict

Standing = Literal["stands", "settled", "contested", "dropped"]
"""What became of an assumption. `stands`: it binds the code and is listed. `settled`: a person's answer made it part of
the request. `contested`: the second reading differs or finds it unsettled, so it does not bind the code. `dropped`: the
user wanted no assumption to bind."""


class Assumption(TypedDict):
    """Behaviour that the request leaves open and that the suite tested all the same."""

    id: str
    """Unique within the run."""
    words: str
    """What was assumed, in one line, for example "a negative n raises ValueError"."""
    question: str
    """The same as a neutral question."""
    tests: list[str]
    """Names of the tests that rest on it (`test_x`, `TestGroup::test_x`)."""
    standing: Standing
    """What became of it."""
    reading: str
    """What the second reading, or a person, answered to the neutral question; empty when nobody was asked."""
    source: str
    """Source of its tests when they were taken out of the suite; else empty."""


class ReadAnswer(TypedDict):
    """What the second reading answered to a question, or to one of its calls."""

    value: str
    """What should happen (`returns 3`, `raises ValueError`); empty when the request does not settle it."""
    words: str
    """The words of the request that settle it, or why nothing does."""


class ReadLabel(TypedDict):
    """The label that the second reading gave a test."""

    kind: Literal["assumption", "property", "request", "example"]
    """How the test rests on the request."""
    words: str
    """Its reason."""


class Reading(TypedDict):
    """The second reading of a request."""

    answers: dict[str, ReadAnswer]
    """By the id of the question (`Q1`) or of its call (`Q1.2`)."""
    labels: dict[str, ReadLabel]
    """By the name of the test."""
    missing: str
    """Why there was none; empty when there was one."""


class OpenQuestion(TypedDict):
    """A contested assumption that is to be asked of a person."""

    question: str
    """The neutral question."""
    reading: str
    """What the architect assumed, and what the second reading made of it."""
    options: list[str]
    """The answers that were given so far, the architect's among them."""
