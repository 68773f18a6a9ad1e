"""Markdown tables of calls and their values."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from src.gates.source import parse_expression

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*")
_CALLS = re.compile(r"(?:example )?(?:calls?|examples?|expressions?|inputs?|invocations?)", re.IGNORECASE)
_VALUES = re.compile(
    r"(?:expected |return |the )?(?:returns?|results?|outputs?|values?|expected|gives|answers?)", re.IGNORECASE
)


@dataclass(frozen=True)
class Row:
    """A row that holds a call and what it gives."""

    call: str
    """Source of the call."""
    value: str
    """Source of the value."""
    line: str
    """The row as it is written."""


def table_rows(lines: list[str]) -> Iterator[Row]:
    """The rows of the tables whose head says what they hold: `call | returns`, or `n | f(n)`."""
    for number in range(1, len(lines)):
        if "-" in lines[number] and _RULE.fullmatch(lines[number]):
            head = _cells(lines[number - 1])
            for line in lines[number + 1 :]:
                if "|" not in line:
                    break
                cells = _cells(line)
                if len(cells) == len(head):
                    yield from _row(head, cells, line)


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("`*").strip() for cell in line.strip().strip("|").split("|")]


def _row(head: list[str], cells: list[str], line: str) -> Iterator[Row]:
    calls = [index for index, title in enumerate(head) if _CALLS.fullmatch(title)]
    values = [index for index, title in enumerate(head) if _VALUES.fullmatch(title)]
    if len(calls) == len(values) == 1:
        yield Row(cells[calls[0]], cells[values[0]], line)
        return
    if len(head) > 10:
        return
    for index, title in enumerate(head):
        function, names = _call_of_names(title)
        others = [place for place in range(len(head)) if place != index]
        if function and sorted(names) == sorted(head[place] for place in others):
            yield Row(f"{function}({', '.join(cells[head.index(name)] for name in names)})", cells[index], line)


def _call_of_names(title: str) -> tuple[str, list[str]]:
    """Function and arguments of `f(a, b)`; no function when the title is nothing of that kind."""
    node = parse_expression(title) if title.endswith(")") else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return "", []
    names = [argument.id for argument in node.args if isinstance(argument, ast.Name)]
    return (node.func.id, names) if len(names) == len(node.args) else ("", [])
