"""A right suite with one wrong expected value: another literal in an assertion or a row of cases, or no for yes."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sandbox import TestReport
from src.gates.excerpts import lines_of
from src.gates.source import parse, test_names

MOST_TRIES = 12
"""Places that are tried in one suite."""


@dataclass(frozen=True)
class Plant:
    """A suite that is wrong in one value."""

    suite: str
    """Its source."""
    test: str
    """The one test that a right module fails."""


def plant(suite: str, start: int, measure: Callable[[str], TestReport]) -> Plant | None:
    """The first wrong value, from place `start` on, for which a right module fails exactly one case of one test.

    `measure`: runs a suite against the right module. `None`: no place was found in some tries.
    """
    tree = parse(suite)
    places = [] if isinstance(tree, str) else list(_places(tree))
    turned = places[start % len(places) :] + places[: start % len(places)] if places else []
    for node in turned[:MOST_TRIES]:
        wrong = _with(suite, node)
        report = measure(wrong)
        failed = [test.id for test in report.tests if test.outcome in ("failed", "error")]
        if report.status == "failed" and len(failed) == 1:
            return Plant(wrong, failed[0].partition("[")[0])
    return None


def _places(tree: ast.Module) -> Iterator[ast.expr]:
    """What a test expects, in order: literals, and conditions that it only calls true or false."""
    names = {name.rpartition("::")[2] for name in test_names(tree)}
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in names]
    for test in tests:
        for node in ast.walk(test):
            if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
                yield from _literals(_named(node.test.comparators[-1], test))
            elif isinstance(node, ast.Assert):
                yield node.test
    tables = {name for test in tests for decorator in test.decorator_list for name in _rows_of(decorator)}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List) and ast.unparse(node.targets[0]) in tables:
            for row in node.value.elts:
                if isinstance(row, ast.List | ast.Tuple) and row.elts:
                    yield from _literals(row.elts[-1])


def _named(node: ast.expr, test: ast.FunctionDef) -> ast.expr:
    """What a name of the test stands for, of a mapping its first plain value; anything else as it is."""
    assigned = {ast.unparse(item.targets[0]): item.value for item in test.body if isinstance(item, ast.Assign)}
    value = assigned.get(node.id, node) if isinstance(node, ast.Name) else node
    plain = [item for item in value.values if isinstance(item, ast.Constant)] if isinstance(value, ast.Dict) else []
    return plain[0] if plain else value


def _rows_of(decorator: ast.expr) -> Iterator[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("parametrize"):
        yield from (argument.id for argument in decorator.args[1:2] if isinstance(argument, ast.Name))


def _literals(node: ast.expr) -> Iterator[ast.Constant]:
    """The first plain value of an expected value; a value that is computed has none."""
    found = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    computed = any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(node))
    if not computed and found and isinstance(found[0].value, bool | int | float | str):
        yield found[0]


def _other(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}x"


def _with(source: str, node: ast.expr) -> str:
    """`source` with another value in place of a literal, or the opposite of a condition."""
    told = repr(_other(node.value)) if isinstance(node, ast.Constant) else f"(not ({ast.unparse(node)}))"
    lines = lines_of(source)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    return "".join([*lines[:first], f"{head}{told}{tail}", *lines[last + 1 :]])
