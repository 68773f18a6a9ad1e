"""The answers and labels in a reply of the reader: one line each, whatever marks or tables are put around them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from src.parsing.errors import FormatError
from src.parsing.text import prepared
from src.reply import Reply
from src.text import one_line

MAX_WORDS = 300
"""Longest value, and longest reason, that is kept, in characters."""
MAX_NAMED = 10
"""Most ids that are named in a reason."""

Label = Literal["assumption", "property", "request", "example"]

_ENTRY = re.compile(r"^[\s>|*#\"'`(\[{-]*([QT]\d{1,4}(?:\.\d{1,3})?)[\s\"'`*)\]]*(?:[:=|.)-]|\u2013|\u2014)\s*(.*)$")
_NOT_SETTLED = re.compile(
    r"(?:un|not\s+|not-|isn't\s+)(?:settled|specified|determined|stated|defined|clear|said)\b"
    r"|(?:left\s+)?open\b|unclear\b|unknown\b|none\s+of\s+the\b|the request (?:does not|doesn't|leaves)\b",
    re.I,
)
_SETTLED = re.compile(r"(?:settled|answer|value)\s*[:=\u2013\u2014-]\s*", re.I)
_LABEL = re.compile(r"(assumption|property|request|example)s?\b", re.I)
_SPLIT = re.compile(r"\s\|\s?|\s(?:\u2013|\u2014|--)\s")
_EDGES = " \t|,;*`\"'"


@dataclass(frozen=True)
class Answer:
    """What the request says to a question."""

    value: str
    """What should happen; empty when the request does not settle it."""
    words: str
    """The words of the request, or why nothing settles it."""


@dataclass(frozen=True)
class LabelRead:
    """How a test rests on the request."""

    kind: Label
    """Its label."""
    words: str
    """The reason."""


@dataclass(frozen=True)
class ReaderReply:
    """What the reader delivers."""

    answers: Mapping[str, Answer]
    """By the id of the question or of its call."""
    labels: Mapping[str, LabelRead]
    """By the id of the test."""


def parse_reader(reply: Reply, questions: Mapping[str, Collection[str]], tests: Collection[str]) -> ReaderReply:
    """The answers and labels; raises `FormatError` naming what is missing or cannot be read.

    `questions`: the ids of the calls by the id of each question (none: the question is answered as a whole).
    """
    entries = _entries(prepared(reply))
    answers = {name: _answer(text) for name, text in entries.items() if name.startswith("Q")}
    labels = {name: label for name, text in entries.items() if (label := _label(text)) is not None}
    wanted = [name for name, calls in questions.items() if not _is_answered(name, calls, answers)]
    unlabelled = [name for name in tests if name not in labels]
    reasons = []
    if wanted:
        reasons.append(
            f"There is no answer to {_named(wanted)}: give each a line such as `{wanted[0]}: not settled | why`."
        )
    if unlabelled:
        reasons.append(
            f"There is no label for {_named(unlabelled)}: give each a line such as `{unlabelled[0]}: request | words`."
        )
    if reasons:
        raise FormatError("missing_answers", " ".join(reasons))
    known = {*questions, *(call for calls in questions.values() for call in calls)}
    kept = {name: answer for name, answer in answers.items() if name in known}
    return ReaderReply(kept, {name: labels[name] for name in tests})


def _entries(text: str) -> dict[str, str]:
    """What is said about each id; the last one counts, and lines without an id go on with the one above."""
    found: dict[str, str] = {}
    current = ""
    for line in text.split("\n"):
        entry = _ENTRY.match(line)
        if entry:
            current = entry[1]
            found[current] = entry[2]
        elif not line.strip() or line.lstrip().startswith(("#", "```")):
            current = ""
        elif current:
            found[current] += " " + line.strip()
    return found


def _is_answered(name: str, calls: Collection[str], answers: Mapping[str, Answer]) -> bool:
    return name in answers or (bool(calls) and all(call in answers for call in calls))


def _answer(text: str) -> Answer:
    bare = text.strip().lstrip("*`_ ")
    if _NOT_SETTLED.match(bare):
        return Answer("", _bounded(_split(bare)[1] or bare))
    value, words = _split(_SETTLED.sub("", bare, count=1) if _SETTLED.match(bare) else bare)
    if _NOT_SETTLED.match(value):
        return Answer("", _bounded(words or value))
    return Answer(one_line(value.strip().strip(",;|").strip(), MAX_WORDS), _bounded(words))


def _split(text: str) -> tuple[str, str]:
    """A value and the words behind it."""
    text = text.strip().rstrip("|").strip()
    parts = _SPLIT.split(text)
    return (text, "") if len(parts) < 2 else (" | ".join(parts[:-1]), parts[-1])


def _label(text: str) -> LabelRead | None:
    bare = text.strip().lstrip("*`_\"' ")
    found = _LABEL.match(bare)
    if found is None:
        return None
    kind: Label = found[1].lower()  # type: ignore[assignment]  # one of the words in the pattern
    return LabelRead(kind, _bounded(bare[found.end() :].lstrip(" *`_|:)(-\u2013\u2014")))


def _bounded(text: str) -> str:
    return one_line(text.strip(_EDGES), MAX_WORDS)


def _named(names: Collection[str]) -> str:
    shown = ", ".join(list(names)[:MAX_NAMED])
    left = len(names) - MAX_NAMED
    return f"{shown} and {left} more" if left > 0 else shown
