"""The architect's answer to a dispute: keep or amend, why, and the amended tests."""

import re
from dataclasses import dataclass
from typing import Literal

from src.parsing.architect import suite_in
from src.parsing.elision import elision
from src.parsing.errors import FormatError
from src.parsing.markdown import fences
from src.parsing.python import Reader
from src.parsing.sections import Part, keyed, opened, sections, without_lines
from src.parsing.text import prepared
from src.reply import Reply
from src.text import clean

MAX_ANSWER = 4_000
"""Longest reason that is kept, in characters."""

_PARTS: tuple[Part, ...] = ("decision", "reason", "contradiction", "tests")
_KEEP = re.compile(r"\b(?:keep|kept|keeps|uphold|upheld|stands?|unchanged|reject(?:ed)?)\b", re.I)
_AMEND = re.compile(r"\b(?:amend(?:ed|ment)?|change[ds]?|correct(?:ed)?|fix(?:ed)?|revise[ds]?)\b", re.I)
_DECISION = re.compile(r"[\s#>*_`-]*(?:the |my )?decision[\s*_`]*(?:[:=]|\u2014|\u2013|->)\s*(?P<word>\S.*)", re.I)


@dataclass(frozen=True)
class DisputeReply:
    """What the architect decides about disputed tests."""

    decision: Literal["keep", "amend"]
    """Whether they stay as they are."""
    reason: str
    """Why."""
    tests: str = ""
    """Source of the amended tests, or of the whole amended suite; empty when they are kept."""
    contradiction: str = ""
    """Words of the specification that contradict a test, and how; empty when nothing is said of that."""


def parse_dispute(reply: Reply, module_name: str = "solution") -> DisputeReply:
    """The decision and what belongs to it.

    Raises `FormatError` when the reply decides nothing, gives no reason, or amends and holds no tests.
    """
    text = opened(prepared(reply))
    parts = _parts(text)
    decision = _decision(text, parts)
    reason = clean(parts.get("reason") or _prose(text)).strip()[:MAX_ANSWER]
    if not any(character.isalnum() for character in reason):
        raise FormatError("no_decision", "The reply gives no reason. Say under REASON why the tests stand or fall.")
    if decision == "keep":
        return DisputeReply("keep", reason)
    suite, _ = suite_in(parts.get("tests", text), Reader(), module_name)
    if gap := elision(suite):
        raise FormatError("elided", f"The tests leave parts out (`{gap.strip()[:80]}`). Send them whole.")
    return DisputeReply("amend", reason, suite.text, clean(parts.get("contradiction", "")).strip()[:MAX_ANSWER])


def _parts(text: str) -> dict[Part, str]:
    named = sections(text, _PARTS)
    return {**keyed(text), **{section.part: section.text for section in reversed(named)}}


def _prose(text: str) -> str:
    """What is said besides code, when no part of it is called the reason."""
    rest = without_lines(text, [(block.start, block.end) for block in fences(text, lambda _: False)])
    named = [(section.heading, section.end) for section in sections(rest, _PARTS)]
    return "\n".join(line for line in without_lines(rest, named).split("\n") if not _DECISION.fullmatch(line))


def _decision(text: str, parts: dict[Part, str]) -> Literal["keep", "amend"]:
    stated = next((match["word"] for line in text.split("\n") if (match := _DECISION.fullmatch(line))), "")
    first = (stated or parts.get("decision", "")).strip().split("\n", 1)[0]
    keeps, amends = bool(_KEEP.search(first)), bool(_AMEND.search(first))
    if keeps == amends:
        raise FormatError("no_decision", "The reply decides nothing. Write keep or amend under DECISION.")
    return "keep" if keeps else "amend"
