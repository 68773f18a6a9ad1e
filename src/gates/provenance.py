"""Why a test may demand what it demands: read off the markers of a suite, and written into them.

A marker on a function holds for it; one on its class, or the module's `pytestmark`, for what has none of its own.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from src.gates.source import FoundTest, found_tests, parse

Kind = Literal["assumption", "property", "request", "example"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""From the weakest to the strongest."""

MARKERS = (
    "request(words): rests on these words of the request",
    "example(words): given in the request as an example",
    "property(reason): follows from the request; says from what",
    "assumption(words): the request leaves this open; says what was assumed",
)
"""The four markers as lines of pytest's `markers` setting."""


@dataclass(frozen=True)
class Provenance:
    """What a test rests on."""

    test: str
    """Its name (`test_x`, `TestGroup::test_x`)."""
    kind: Kind
    """How it rests on the request."""
    words: str
    """The marker's text: words of the request, the reason, or what was assumed; empty when it is no literal text."""


@dataclass(frozen=True)
class Marker:
    """A marker as it stands in a suite."""

    kind: Kind
    """Its name."""
    words: str | None
    """Its text; `None` when it has none, more than one, or one that is not written out."""
    node: ast.expr
    """The expression, a decorator or a part of `pytestmark`."""


def strength(kind: Kind) -> int:
    """How much a label carries: example > request > property > assumption."""
    return KINDS.index(kind)


def provenance_of(suite: ast.Module | str) -> dict[str, Provenance]:
    """The provenance of each test that has one; the weakest, where a test has several. Empty when it does not parse."""
    found: dict[str, Provenance] = {}
    for test, markers in markers_of(suite):
        if markers:
            weakest = min(markers, key=lambda marker: strength(marker.kind))
            found[test.name] = Provenance(test.name, weakest.kind, weakest.words or "")
        else:
            found.pop(test.name, None)  # a later definition hides the earlier one
    return found


def markers_of(suite: ast.Module | str) -> list[tuple[FoundTest, list[Marker]]]:
    """Each test with the markers that hold for it, in order. Empty when the suite does not parse."""
    tree = parse(suite) if isinstance(suite, str) else suite
    if isinstance(tree, str):
        return []
    of_module = list(_in_pytestmark(tree.body))
    return [(test, own_markers(test) or _of_owner(test) or of_module) for test in found_tests(tree)]


def own_markers(test: FoundTest) -> list[Marker]:
    """The markers on the function itself, in order."""
    return list(_read(test.function.decorator_list))


def _of_owner(test: FoundTest) -> list[Marker]:
    return [*_read(test.owner.decorator_list), *_in_pytestmark(test.owner.body)] if test.owner else []


def _in_pytestmark(block: list[ast.stmt]) -> Iterator[Marker]:
    for statement in block:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in targets):
                value = statement.value
                yield from _read(value.elts if isinstance(value, ast.List | ast.Tuple) else [value])


def _read(expressions: Iterable[ast.expr]) -> Iterator[Marker]:
    """The markers among decorators: `pytest.mark.request("…")`, or `mark.request("…")`."""
    for node in expressions:
        name = node.func if isinstance(node, ast.Call) else node
        if isinstance(name, ast.Attribute) and _is_mark(name.value):
            kind = next((kind for kind in KINDS if kind == name.attr), None)
            if kind:
                yield Marker(kind, _text(node), node)


def _is_mark(node: ast.expr) -> bool:
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) == "mark"


def _text(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    argument = node.args[0]
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None
