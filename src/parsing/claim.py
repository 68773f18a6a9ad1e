"""The debugger's claim that tests are wrong: which, and why."""

import re
from dataclasses import dataclass

from src.parsing.markdown import fences
from src.parsing.sections import keyed, opened, sections, without_lines
from src.text import clean

MAX_NAMES = 50
"""Names that are read at most."""
MAX_NAME = 300
"""Longest name that is read, in characters."""
MAX_REASON = 4_000
"""Longest reason that is kept, in characters."""

_TESTS = re.compile(r"\b(?:py)?(?:tests?|suite|assertions?|expectations?)\b|\btest_", re.I)
_CODE = re.compile(r"\b(?:code|module|implementation|solution|candidate|both)\b", re.I)
_DENIED = re.compile(r"\bnot\s+(?:in\s+)?(?:the\s+)?\w+", re.I)
_STATED = re.compile(
    r"[\s#>*_`-]*(?:the )?fault(?: (?:lies|is)(?: in)?)?[\s*_`]*(?:[:=]|\u2014|\u2013|->)\s*(?P<word>\S.*)", re.I
)
_BULLET = re.compile(r"[\s>|*+-]*(?:\d+[.)]\s*)?[\s*_`#|]*")
_NAME = re.compile(r"(?:[\w./-]{1,200}\.py::)?(?:\w{1,100}(?:::|\.)){0,5}test\w{0,200}(?:\[[^\]\n]{0,200}\])?")
_BETWEEN = re.compile(r"[`*_]*(?:\s*(?:,|/|&|and)\s*)[`*_]*")


@dataclass(frozen=True)
class Claim:
    """Tests are wrong."""

    tests: tuple[str, ...]
    """Their names as the debugger wrote them."""
    reason: str
    """What it says about them, without its blocks of code."""


def claim_in(text: str) -> Claim | None:
    """The claim in a reply; `None` when it blames the code, or says nothing of a fault."""
    prose = _prose(opened(text))
    if not _blames_tests(prose, text):
        return None
    said = _disputed(prose, text)
    names = _names_heading_lines(said) or _names_anywhere(said) or _names_anywhere(prose)
    return Claim(names, clean(said).strip()[:MAX_REASON])


def _prose(text: str) -> str:
    """`text` without its fenced blocks, which hold code; an element or a JSON value is no fence."""
    return without_lines(text, [(block.start, block.end) for block in fences(text, lambda _: False)])


def _blames_tests(prose: str, text: str) -> bool:
    stated = next((match["word"] for line in prose.split("\n") if (match := _STATED.fullmatch(line))), "")
    if not stated:
        named = [section.text for section in sections(prose, ("fault", "diagnosis", "code", "disputed", "tests"))
                 if section.part == "fault"]  # fmt: skip
        stated = next(iter([*named, keyed(text).get("fault", "")]), "")
    first = stated.strip().split("\n", 1)[0]
    first = _DENIED.sub("", first)
    return bool(_TESTS.search(first)) and not _CODE.search(first)


def _disputed(prose: str, text: str) -> str:
    """What is said about the tests: the section about them, else the diagnosis, else the whole reply."""
    named = sections(prose, ("disputed", "fault", "diagnosis", "code"))
    parts = {section.part: section.text for section in reversed(named)} | keyed(text)
    return parts.get("disputed") or parts.get("diagnosis") or prose


def _names_heading_lines(text: str) -> tuple[str, ...]:
    """Names that lines begin with, several to a line where they are listed."""
    found: dict[str, None] = {}
    for line in text.split("\n"):
        position = _end(_BULLET, line, 0)
        while match := _NAME.match(line, position):
            if _is_name(match[0]):
                found[match[0][:MAX_NAME]] = None
            position = _end(_BETWEEN, line, match.end())
            if position == match.end():
                break
    return tuple(found)[:MAX_NAMES]


def _names_anywhere(text: str) -> tuple[str, ...]:
    found = (match[0][:MAX_NAME] for match in _NAME.finditer(text) if _is_name(match[0]))
    return tuple(dict.fromkeys(found))[:MAX_NAMES]


def _is_name(word: str) -> bool:
    """Whether it names a test, and is not just the word "tests"."""
    return "_" in word or "::" in word or any(character.isupper() or character.isdigit() for character in word[4:])


def _end(pattern: re.Pattern[str], line: str, start: int) -> int:
    match = pattern.match(line, start)
    return match.end() if match else start
