"""The named parts of a reply: specification, tests, diagnosis, patched code, and those of a dispute."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from src.parsing.markdown import Block, Heading, fences, headings
from src.parsing.wrappers import element_blocks, json_blocks

Part = Literal[
    "specification", "tests", "diagnosis", "code", "fault", "disputed", "decision", "reason", "contradiction"
]

_TESTS = (
    r"(?:the |full |complete |automated )*(?:py|unit)?[ -]?(?:tests?|suites?)"
    r"(?:[ -](?:suite|cases?|code|file|module|plan))?(?: (?:with|in|using) pytest)?(?: (?:for|of) .*)?(?: \(.*\))?"
    r"|test_?\w*\.py"
    r"|(?:pytest|unittest|unit)(?: (?:test )?(?:suite|file|module|tests?|code)| test cases)(?: \(.*\))?"
)
_SPECIFICATION = r"(?:the |technical |module |functional |detailed |api |software |full )*spec(?:s|ifications?)?\b.*"
_DIAGNOSIS = r"(?:the |root |my )*(?:diagnosis|cause|analysis|explanation|problem|bug|what (?:went|was|is) wrong)\b.*"
_CODE = (
    r"(?:the |full |complete |whole )*(?:patched|fixed|corrected|final|updated|revised|repaired|new|fix)"
    r"(?:[ _](?:code|module|solution|implementation|version|file)\b.*)?"
    r"|patch(?:ed)?|code|solution(?:\.py)?|implementation|fix"
)
_NAMES: tuple[tuple[Part, re.Pattern[str]], ...] = (
    ("tests", re.compile(_TESTS)),
    ("specification", re.compile(_SPECIFICATION)),
    ("diagnosis", re.compile(_DIAGNOSIS)),
    ("code", re.compile(_CODE)),
    ("fault", re.compile(r"(?:the )?fault\b.*")),
    ("disputed", re.compile(r"(?:the )?disputed?(?: (?:py)?tests?)?\b.*|(?:the )?wrong tests?")),
    ("decision", re.compile(r"(?:the |my )?decision\b.*")),
    ("reason", re.compile(r"(?:the |my )?(?:reason(?:s|ing)?|rationale|justification)\b.*")),
    ("contradiction", re.compile(r"(?:the )?contradictions?\b.*")),
)


@dataclass(frozen=True)
class Section:
    """Lines of a reply under one heading, up to the next heading that names a part."""

    part: Part
    heading: int
    """Line of its heading, from 0."""
    start: int
    end: int
    text: str


def part_of(title: str) -> Part | None:
    """Which part a heading, a JSON key or an element name stands for."""
    words = re.sub(r"[*`#\[\]<>]|[^\w\s.()'-]", " ", title.replace("_", " ")).strip().lower()
    words = re.sub(
        r"^(?:(?:part|section|step)?\s*(?:\d+|[ivx]+|[a-d])\s*[.):-]\s*|(?:part|section|step) \d+\s+)", "", words
    )
    words = " ".join(words.strip(" .-").split())
    return next((part for part, pattern in _NAMES if pattern.fullmatch(words)), None)


def sections(text: str, parts: Collection[Part]) -> list[Section]:
    """The sections of `text` that hold one of `parts`, in order."""
    lines = text.split("\n")
    marks = [(heading, part) for heading in headings(text) if (part := part_of(heading.text)) and part in parts]
    ends = [heading.line for heading, _ in marks[1:]] + [len(lines)]
    return [_section(lines, heading, part, end) for (heading, part), end in zip(marks, ends, strict=False)]


def _section(lines: list[str], heading: Heading, part: Part, end: int) -> Section:
    return Section(part, heading.line, heading.end, end, "\n".join(lines[heading.end : end]))


def keyed(text: str) -> dict[Part, str]:
    """The parts of a reply that came as JSON or as XML elements."""
    sources = [
        text,
        *(block.text for block in fences(text, lambda _: False) if block.tag in ("json", "", "json5", "xml")),
    ]
    found: dict[Part, list[str]] = {}
    for source in sources:
        for block in [*json_blocks(source), *element_blocks(source)]:
            part = _part_of_block(block)
            if part is not None and block.text not in found.setdefault(part, []):
                found[part].append(block.text)
    return {part: "\n\n".join(texts[:50]) for part, texts in found.items()}


def _part_of_block(block: Block) -> Part | None:
    keys = block.section.split(".") if block.section else [block.tag]
    return next((part for key in keys if (part := part_of(key)) is not None), None)


def without_lines(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` less some spans of lines."""
    dropped = {number for start, end in spans for number in range(start, end)}
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in dropped)


def opened(text: str) -> str:
    """The inside of a Markdown fence that was put around a whole reply."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        mark = re.fullmatch(r"\s*(`{3,}|~{3,})\s*(?:markdown|md|mdx|text)?\s*", line)
        if mark is None:
            continue
        inner = lines[number + 1 :]
        if not any(part_of(heading.text) for heading in headings("\n".join(inner))):
            return text
        if any(part_of(heading.text) for heading in headings("\n".join(lines[:number]))):
            return text
        last = max((n for n, other in enumerate(inner) if other.strip() == mark[1]), default=len(inner))
        return "\n".join(inner[:last])
    return text
