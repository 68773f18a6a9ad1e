"""Tests of our own among those of a run, whose outcomes are known: where one of them goes wrong, no other counts.

Generated code shares the process with pytest and can patch it, so that failures pass. It does not know which tests
will be asked: a file with a random name holds one test that must pass, before the suite, and one that must fail with a
message made up for this run, behind it, where every patch that an import or a call made is in place. Both also look at
what was replaced, of pytest and of what tests decide by, since before the job was there (`guest/seals.py`): that shows
a patch which spares every test but those of the suite. It fails without a traceback, which would cost more than all the
rest.

What this cannot see: code that reads this file where it lies, and an object whose `==` is always true.
"""

import secrets
from dataclasses import dataclass
from string import Template

SOURCE = Template("""\
import sys
from pytest import fail

Honest = AssertionError
replaced = sys.modules["selfheal.seals"].taken[-1]


def $passes():
    assert replaced() == []


def $fails():
    number, told = $number, "nothing"
    try:
        assert not number, "$words"
    except Honest as error:
        told = str(error)
    fail(f"{told!r} {replaced()}", pytrace=False)
""")


@dataclass(frozen=True)
class Canary:
    """The tests of one run whose outcomes are known."""

    file: str
    """Name of their file."""
    source: str
    """Their source."""
    passes: str
    """Full id of the one that must pass; it runs before the suite."""
    fails: str
    """Full id of the one that must fail; it runs after the suite."""
    message: tuple[str, str]
    """How its message begins and how it ends; in between stands what was replaced."""


def new_canary() -> Canary:
    """Another one for each run. Its names, words and number cannot be guessed."""
    passes, fails = (f"test_{secrets.token_hex(4)}" for _ in range(2))
    words, number = secrets.token_hex(8), 1 + secrets.randbelow(10**6)
    file = f"test_{secrets.token_hex(6)}.py"
    source = SOURCE.substitute(passes=passes, fails=fails, words=words, number=number)
    message = (f"Failed: '{words}\\nassert not {number}' [", "]")
    return Canary(file, source, f"{file}::{passes}", f"{file}::{fails}", message)
