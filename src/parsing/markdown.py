"""A reply as Markdown: its fenced blocks wherever they are nested, and its headings."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MAX_RESTARTS = 12
_MAX_LONGER = 12
_OPENER = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([^`\n]*)\Z")
_MARKER = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*\Z")
_DOCUMENT_TAGS = frozenset({"", "markdown", "md", "mdx", "text", "txt", "rst", "plaintext"})
_TIGHT_HEADING = re.compile(r"^(#{1,6})(?=[A-Za-z])", re.M)
_BOLD = re.compile(r"(?:\d+[.)]\s*)?(\*\*|__)(.+?)\1\s*:?\s*\Z")

# HTML blocks would swallow fences that stand right below a tag; what stands inside a line is of no interest.
_markdown = MarkdownIt("commonmark").disable(["html_block", "reference", "inline", "text_join"])


@dataclass(frozen=True)
class Block:
    """A piece of a reply that may be code."""

    text: str
    """What it holds."""
    tag: str = ""
    """Its language word, key or element name, in lower case."""
    info: str = ""
    """All that stood on the opening line."""
    lead: str = ""
    """The last line of prose before it."""
    section: str = ""
    """The heading above it."""
    start: int = 0
    """First line in the reply, from 0."""
    end: int = 0
    """Line after the last one."""
    closed: bool = True
    """Whether its end was marked."""


@dataclass(frozen=True)
class Heading:
    """A heading of any look: `#`, underlined, bold, or a lone word with a colon."""

    text: str
    line: int
    """Its first line, from 0."""
    end: int
    """The line after it."""


def tag_of(info: str) -> str:
    """The language word of a fence's opening line."""
    word = info.strip().strip("{}").lstrip(".").split(" ", 1)[0]
    return re.split(r"[:,={\s]", word, maxsplit=1)[0].lower().removeprefix("language-")


@lru_cache(maxsize=4)
def _tokens(text: str) -> list[Token]:
    return _markdown.parse(text + "\n")


def fences(text: str, parses: Callable[[str], bool], depth: int = 0) -> list[Block]:
    """All fenced blocks of `text` in order.

    Markdown closes a fence at the first line of marks, also when that line belongs to a docstring: a block that does
    not parse is read on to the next such lines until it does. A fence around a whole document is opened.
    """
    lines = text.split("\n")
    found: list[Block] = []
    base, section = 0, ""
    for _ in range(_MAX_RESTARTS):
        blocks, base, section = _fences_until_restart(lines, base, section, parses, depth)
        found.extend(blocks)
        if base >= len(lines):
            break
    return found


def _fences_until_restart(
    lines: list[str], base: int, section: str, parses: Callable[[str], bool], depth: int
) -> tuple[list[Block], int, str]:
    found: list[Block] = []
    lead = ""
    in_heading = False
    for token in _tokens("\n".join(lines[base:])):
        if token.type == "heading_open":
            in_heading = True
        elif token.type == "inline":
            lead = token.content.rsplit("\n", 1)[-1]
            if in_heading or _BOLD.match(lead):
                section = lead
            in_heading = False
        elif token.type == "fence" and token.map:
            block = _block(token, base, lead, section)
            lead = ""
            opened = _opened(block, token.markup)
            if opened is None:
                longer = _longer(block, lines, parses)
                found.append(longer or block)
                if longer is not None:
                    return found, longer.end, section
            elif opened and depth < 3:
                inner = fences(block.text, parses, depth + 1)
                found.extend(replace(part, start=block.start, end=block.end) for part in inner)
            else:
                return found, block.start + 1, section
    return found, len(lines), section


def _block(token: Token, base: int, lead: str, section: str) -> Block:
    start, end = token.map or (0, 0)
    closed = token.content.count("\n") == end - start - 2
    return Block(token.content, tag_of(token.info), token.info.strip(), lead, section, base + start, base + end, closed)


def _opened(block: Block, markup: str) -> bool | None:
    """Whether a fence is a wrapper: `None` no, `True` its content is whole, `False` it was cut by the inner fence."""
    inner = [_OPENER.match(line) for line in block.text.split("\n")]
    first = next((match for line, match in zip(block.text.split("\n"), inner, strict=True) if line.strip()), None)
    openers = [match for match in inner if match and match[2]]
    if first is None and not (block.tag in _DOCUMENT_TAGS and openers):
        return None
    marks = (first or openers[0])[1]
    return len(marks) < len(markup) or marks[0] != markup[0]


def _longer(block: Block, lines: list[str], parses: Callable[[str], bool]) -> Block | None:
    if not block.closed or block.tag not in ("", "python", "py", "python3") or parses(block.text):
        return None
    if '"""' not in block.text and "'''" not in block.text:
        return None
    ends = [n for n in range(block.end, min(len(lines), block.end + 1_000)) if _MARKER.match(lines[n])]
    for end in ends[:_MAX_LONGER]:
        text = "\n".join(lines[block.start + 1 : end]) + "\n"
        if parses(text):
            return replace(block, text=text, end=end + 1)
    return None


def indented(text: str) -> list[Block]:
    """Blocks that are code by their indentation."""
    return [
        Block(token.content, start=token.map[0], end=token.map[1])
        for token in _tokens(text)
        if token.type == "code_block" and token.map
    ]


def headings(text: str) -> list[Heading]:
    """Headings in order, those inside fenced blocks left out."""
    found: list[Heading] = []
    previous: Token | None = None
    for token in _tokens(_TIGHT_HEADING.sub(r"\1 ", text)):
        if token.type == "inline" and token.map:
            first = token.content.split("\n", 1)[0].strip()
            if previous and previous.type == "heading_open" and previous.map:
                found.append(Heading(token.content.strip(), *previous.map))
            elif (
                previous
                and previous.type == "paragraph_open"
                and (_BOLD.match(first) or re.fullmatch(r"[A-Z][\w ]{2,40}:?", first))
            ):
                found.append(Heading(first, token.map[0], token.map[0] + 1))
        previous = token
    return found
