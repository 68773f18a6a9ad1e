"""Text carried inside something else: JSON, calls of tools written as text, XML elements, CDATA."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from sandbox.syntax import literal_of
from src.parsing.markdown import Block

_MAX_VALUES = 2_000
_MAX_STARTS = 20
_FILE_KEYS = ("filename", "file_path", "filepath", "path", "file", "name", "title")
_TAG = re.compile(r"<(/?)([A-Za-z_][\w.-]*)((?:[=\s][^<>\n]*)?)>")
_SQUARE = re.compile(r"^[ \t]*\[(/?)([A-Za-z_]+)\][ \t]*$", re.M)
_LATEX = re.compile(r"^[ \t]*\\(begin|end)\{(\w+\*?)\}(.*)$", re.M)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)


def json_values(text: str) -> list[Any]:
    """Every JSON value (or the same written as a Python literal) that `text` is, or that begins a line of it."""
    whole = _loaded(text.strip())
    if isinstance(whole, dict | list | str):
        return [whole]
    decoder = json.JSONDecoder(strict=False)
    found: list[Any] = []
    position = 0
    for start in list(re.finditer(r"^[ \t]*(?=[{\[])", text, re.M))[:_MAX_STARTS]:
        if start.end() < position:
            continue
        try:
            value, position = decoder.raw_decode(text, start.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list) and value:
            found.append(value)
    return found


def _loaded(text: str) -> Any:
    if text[:1] not in ("{", "[", '"'):
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        pass
    try:
        return literal_of(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def strings_in(value: Any) -> Iterator[tuple[str, str, str]]:
    """Strings inside a JSON value in order, each with its keys from the outside in and the file name beside it."""
    waiting: list[tuple[Any, str, str]] = [(value, "", "")]
    for _ in range(_MAX_VALUES):
        if not waiting:
            return
        item, key, label = waiting.pop()
        if isinstance(item, str):
            yield item, key, label
        elif isinstance(item, dict):
            beside = next((item[k] for k in _FILE_KEYS if isinstance(item.get(k), str)), label)
            waiting.extend((part, f"{key}.{name}".lstrip("."), beside) for name, part in reversed(list(item.items())))
        elif isinstance(item, list):
            if item and all(isinstance(part, str) for part in item):
                yield joined_lines(item), key, label
            else:
                waiting.extend((part, key, label) for part in reversed(item))


def joined_lines(parts: Sequence[str]) -> str:
    """A text that was sent as a list of lines."""
    return ("" if any(part.endswith("\n") for part in parts[:-1]) else "\n").join(parts)


def json_blocks(text: str) -> list[Block]:
    """Strings of JSON values in `text`, as blocks."""
    return [
        Block(
            string,
            tag=key.rpartition(".")[2].lower(),
            lead=f"{label} {key}".strip(),
            section=key,
            end=len(text.split("\n")),
        )
        for value in json_values(text)
        for string, key, label in strings_in(value)
        if string.strip()
    ]


def element_blocks(text: str) -> list[Block]:
    """What stands between an opening and a closing tag (`<code>`, `[PYTHON]`, `\\begin{verbatim}`), innermost first."""
    found: list[Block] = []
    for opening, closing, name, extra in [*_elements(text), *_square_elements(text), *_latex_elements(text)]:
        content = _CDATA.sub(r"\1", text[opening:closing])
        start, end = text.count("\n", 0, opening), text.count("\n", 0, closing) + 1
        found.append(Block(content.strip("\n"), tag=name.lower(), lead=extra.strip(), start=start, end=end))
        if "<" in content and "&lt;" not in content:
            bare = _TAG.sub("", content)
            if bare != content:
                found.append(Block(html.unescape(bare).strip("\n"), tag=name.lower(), start=start, end=end))
    return found[:_MAX_STARTS]


def _elements(text: str) -> Iterator[tuple[int, int, str, str]]:
    opened: list[re.Match[str]] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened.append(tag)
            continue
        for depth in range(len(opened) - 1, max(-1, len(opened) - 20), -1):
            if opened[depth][2] == tag[2]:
                yield opened[depth].end(), tag.start(), tag[2], opened[depth][3]
                del opened[depth:]
                break


def _square_elements(text: str) -> Iterator[tuple[int, int, str, str]]:
    opened: dict[str, int] = {}
    for mark in _SQUARE.finditer(text):
        if mark[1] and mark[2] in opened:
            yield opened.pop(mark[2]), mark.start(), mark[2], ""
        elif not mark[1]:
            opened[mark[2]] = mark.end()


def _latex_elements(text: str) -> Iterator[tuple[int, int, str, str]]:
    opened: dict[str, int] = {}
    for mark in _LATEX.finditer(text):
        if mark[1] == "begin":
            opened[mark[2]] = mark.end()
        elif mark[2] in opened:
            yield opened.pop(mark[2]), mark.start(), mark[2], ""
