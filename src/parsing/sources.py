"""Every place of a reply where code may stand, the surest places first."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from src.parsing.markdown import Block, fences, indented
from src.parsing.python import Module, Reader
from src.parsing.regions import regions
from src.parsing.repair import unescaped
from src.parsing.wrappers import element_blocks, json_blocks

_MAX_DEPTH = 3
_GLUED = re.compile(r"(?<=[^\s`>])[ \t]*(`{3,}(?:[A-Za-z][\w.+-]*)?)[ \t]*(?=\n|\Z)")
_ONE_LINE = re.compile(r"(`{3,})(?:(python3?|py)[ \t]+)?([^`\n]+?)\1")
_QUOTE_FENCE = re.compile(r"^[ \t]*(?:'''|\"\"\"|``)[ \t]*(?:python3?|py)[ \t]*$", re.M | re.I)
_QUOTED = re.compile(r"^[ \t]*>(?!>>) ?", re.M)
_INLINE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`]*?\b(?:def|class|lambda)\b[^`]*)\1(?!`)")


def places(text: str, reader: Reader) -> Iterator[list[Block]]:
    """Groups of blocks; a later group matters only when nothing of use stands in the earlier ones."""

    def parses(code: str) -> bool:
        return isinstance(reader.read(code), Module)

    if parses(text):
        yield [Block(text)]
    fenced = fences(text, parses)
    yield fenced
    yield list(_wrapped(text, fenced, parses))
    yield list(_rearranged(text, parses))
    yield regions(text, reader) or regions(unescaped(text), reader)
    yield list(_continued(fenced)) if fenced else [Block(text)]


def _wrapped(text: str, fenced: list[Block], parses: Callable[[str], bool]) -> Iterator[Block]:
    yield from _inside(Block(text, end=text.count("\n")), parses, 0)
    for block in fenced:
        for inner in _inside(block, parses, 0):
            yield replace(inner, start=block.start, end=block.end, section=block.section)


def _inside(block: Block, parses: Callable[[str], bool], depth: int) -> Iterator[Block]:
    """What a block carries, and what that carries in turn."""
    if depth >= _MAX_DEPTH:
        return
    for inner in [*json_blocks(block.text), *element_blocks(block.text)]:
        if inner.text == block.text:
            continue
        deeper = [*fences(inner.text, parses), *_inside(inner, parses, depth + 1)]
        yield from (replace(part, start=inner.start, end=inner.end) for part in deeper)
        if not deeper:
            yield inner


def _rearranged(text: str, parses: Callable[[str], bool]) -> Iterator[Block]:
    """Fences whose marks are not where Markdown wants them, code by indentation, quoted mail, spans in a line."""
    for other in {_QUOTED.sub("", text), loosened(text)} - {text}:
        yield from fences(other, parses)
    for block in indented(text):
        yield from fences(block.text, parses) or [block]
    yield from (Block(span[2]) for span in list(_INLINE.finditer(text))[:20])


def loosened(text: str) -> str:
    """Give every mark of a fence a line of its own, and read three quotes with a language word as a fence."""
    text = _ONE_LINE.sub(r"\n\1\2\n\3\n\1\n", text)
    text = _GLUED.sub(r"\n\1", text)
    opening = _QUOTE_FENCE.search(text)
    if opening is None:
        return text
    marks = opening.group().strip()[:3].rstrip("pP")
    return re.sub(rf"^[ \t]*{re.escape(marks)}[ \t]*$", "```", _QUOTE_FENCE.sub("```python", text), flags=re.M)


def _continued(fenced: list[Block]) -> Iterator[Block]:
    """A module that was cut in two by a fence's end and goes on in the next one."""
    for first, second in pairwise(fenced):
        yield replace(first, text=first.text + second.text, end=second.end)
