"""Tests of our own among those of a run, whose outcomes are known: where one of them goes wrong, no other counts.

Generated code shares the process with pytest and can patch it, so that failures pass. It does not know which tests
will be asked: a file with a random name holds two tests that must fail, each with a message made up for this run, and
one that must pass. One of those that fail stands before the suite, where what an import patched shows; the other
behind it, where what a call patched does. Both also tell what was replaced, of pytest and of what tests decide by,
since before the job was there (`guest/seals.py`): that shows a patch which spares every test but those of the suite.

What this cannot see: code that reads this file where it lies, and an object whose `==` is always true.
"""

import random
import secrets
from dataclasses import dataclass
from string import Template

SOURCE = Template("""\
import sys

replaced = sys.modules["selfheal.seals"].taken[-1]


def $passes():
    number = $number
    assert number == $number


def $fails_before():
    found = replaced()
    assert (found, $before) == $number, "$before_words"


def $fails_after():
    found = replaced()
    assert (found, $after) == $number, "$after_words"
""")


@dataclass(frozen=True)
class Canary:
    """The tests of one run whose outcomes are known."""

    file: str
    """Name of their file."""
    source: str
    """Their source."""
    before: tuple[str, ...]
    """Those that run before the suite, by their full id."""
    after: tuple[str, ...]
    """Those that run after it."""
    messages: dict[str, tuple[str, str]]
    """Of those that must fail: how the message begins and how it ends; in between stands what was replaced."""

    def arguments(self, suite_file: str) -> list[str]:
        """What pytest is asked to run, in this order."""
        return [*self.before, suite_file, *self.after]


def new_canary() -> Canary:
    """Another one for each run. Its words, numbers and order cannot be guessed."""
    chance = random.SystemRandom()
    names = {role: f"test_{secrets.token_hex(4)}" for role in ("passes", "fails_before", "fails_after")}
    words = {f"{when}_words": secrets.token_hex(8) for when in ("before", "after")}
    number, before, after = chance.sample(range(100_000, 1_000_000), 3)
    file = f"test_{secrets.token_hex(6)}.py"
    ids = {role: f"{file}::{name}" for role, name in names.items()}
    sides = [[ids["fails_before"]], [ids["fails_after"]]]
    chance.choice(sides).append(ids["passes"])
    for side in sides:
        chance.shuffle(side)
    told = {
        ids["fails_before"]: (f"AssertionError: {words['before_words']}\nassert ([", f"], {before}) == {number}"),
        ids["fails_after"]: (f"AssertionError: {words['after_words']}\nassert ([", f"], {after}) == {number}"),
    }
    source = SOURCE.substitute(names, **words, number=number, before=before, after=after)
    return Canary(file, source, tuple(sides[0]), tuple(sides[1]), told)
