"""Tests of our own among those of a run, whose outcomes are known: where one of them goes wrong, no other counts.

Generated code shares the process with pytest and can patch it, so that failures pass. It does not know which tests
will be asked: one that must pass runs before the suite, and one that must fail with a message made up for this run
behind it, where every patch that an import or a call made is in place. Both also look at what was replaced, of pytest
and of what tests decide by, since before the job was there (`guest/seals.py`): that shows a patch which spares every
test but those of the suite.

What they do stands in `guest/own_tests.py` and is the same each time, so that a guest has it compiled before the job is
there. What they are called and what they say is made up here for each run.

What this cannot see: code that finds them in the memory of its process, and an object whose `==` is always true.
"""

import secrets
from dataclasses import dataclass, field


def _name() -> str:
    return f"test_{secrets.token_hex(4)}"


@dataclass(frozen=True)
class Canary:
    """The tests of one run whose outcomes are known. Another one for each run: nothing of it can be guessed."""

    file: str = field(default_factory=lambda: f"test_{secrets.token_hex(6)}.py")
    """Name of the file that they are said to stand in."""
    passes_name: str = field(default_factory=_name)
    """Name of the one that must pass; it runs before the suite."""
    fails_name: str = field(default_factory=_name)
    """Name of the one that must fail; it runs after the suite."""
    words: str = field(default_factory=lambda: secrets.token_hex(8))
    """What it says when it fails."""
    number: int = field(default_factory=lambda: 1 + secrets.randbelow(10**6))
    """What it finds wrong."""

    @property
    def passes(self) -> str:
        """Full id of the one that must pass."""
        return f"{self.file}::{self.passes_name}"

    @property
    def fails(self) -> str:
        """Full id of the one that must fail."""
        return f"{self.file}::{self.fails_name}"

    @property
    def message(self) -> tuple[str, str]:
        """How its message begins and how it ends; in between stands what was replaced."""
        return f"Failed: '{self.words}\\nassert not {self.number}' [", "]"

    @property
    def order(self) -> dict[str, str | int]:
        """What a guest needs to know of it."""
        names = {"file": self.file, "passes": self.passes_name, "fails": self.fails_name}
        return {**names, "words": self.words, "number": self.number}
