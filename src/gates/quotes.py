"""Whether words stand in a request, however they are set there."""

import re

MIN_WORDS = 2
"""A single word stands in nearly every request."""

_LINE_MARKS = re.compile(r"^[ \t]*(?:>(?!>>)|#{1,6}|[-*+•]|\d+[.)])[ \t]+", re.MULTILINE)
_NO_MATTER = re.compile(r"[`*_'\"|\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]+|>>>|\.\.\.(?=\s)")
_LEFT_OUT = re.compile(r"\[?(?:…|\.{3,})\]?")
_ENDS = " .,;:!?\u2013\u2014"


def is_quoted_from(words: str, text: str) -> bool:
    """Whether `words` occur in `text`, their parts between ellipses in order.

    Case, spaces and line ends, quotation marks, Markdown and punctuation at both ends make no difference.
    """
    parts = [part for part in map(_plain, _LEFT_OUT.split(words)) if part]
    if sum(len(re.findall(r"\w+", part)) for part in parts) < MIN_WORDS:
        return False
    place, plain = 0, _plain(text)
    for part in parts:
        found = _place_of(part, plain, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _place_of(part: str, text: str, start: int) -> int:
    """Where `part` stands in `text` from `start` on, not cut out of longer words; -1 when nowhere."""
    found = text.find(part, start)
    while found >= 0:
        before, after = text[found - 1 : found], text[found + len(part) : found + len(part) + 1]
        if not (_joins(before, part[0]) or _joins(part[-1], after)):
            return found
        found = text.find(part, found + 1)
    return -1


def _joins(one: str, other: str) -> bool:
    return one.isalnum() and other.isalnum()


def _plain(text: str) -> str:
    bare = _NO_MATTER.sub("", _LINE_MARKS.sub("", text))
    return " ".join(bare.casefold().split()).strip(_ENDS)
