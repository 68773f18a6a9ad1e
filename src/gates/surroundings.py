"""What a suite gives its tests: names of the module, constants, fixtures, the rows of parametrised tests."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product

from src.gates.literals import UNKNOWN, literal
from src.gates.source import FunctionNode

MAX_ROWS = 12
"""Rows of a parametrisation that are looked at."""


@dataclass(frozen=True)
class Surroundings:
    """What a suite gives its tests."""

    subjects: frozenset[str]
    """Names under which the suite knows what it took from the module, or the module."""
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    """Values that are written out at module level."""
    fixtures: Mapping[str, ast.expr] = field(default_factory=dict)
    """What a fixture returns, where that is a single expression."""


def surroundings(tree: ast.Module, module_name: str) -> Surroundings:
    """What tests of this suite are read with."""
    subjects: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module_name:
            subjects.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            subjects.update(alias.asname or alias.name for alias in node.names if alias.name == module_name)
    pairs = map(assigned, tree.body)
    constants = {name: value for name, value in pairs if value is not None and is_literal(value)}
    fixtures = {
        item.name: value
        for item in tree.body
        if isinstance(item, FunctionNode) and (value := _given_by(item)) is not None
    }
    return Surroundings(frozenset(subjects), constants, fixtures)


def is_literal(node: ast.expr) -> bool:
    """Whether `node` is a value that is written out."""
    return literal(node) is not UNKNOWN


def assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Name and value of a plain assignment; no value for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return name, value
        case _:
            return "", None


def _given_by(item: FunctionNode) -> ast.expr | None:
    """What a fixture returns; `None` where that is more than an expression, or where it is no fixture."""
    is_fixture = any("fixture" in ast.unparse(mark) for mark in item.decorator_list)
    only = item.body[0] if len(item.body) == 1 else None
    return only.value if is_fixture and isinstance(only, ast.Return) else None


def rows_of(function: FunctionNode, around: Surroundings) -> Iterator[dict[str, ast.expr]]:
    """The values of each row of a parametrised test; one empty row for any other."""
    tables = [table for mark in function.decorator_list if (table := _table(mark, around)) is not None]
    for rows in islice(product(*tables), MAX_ROWS):
        yield {name: value for row in rows for name, value in row.items()}


def _table(mark: ast.expr, around: Surroundings) -> list[dict[str, ast.expr]] | None:
    if not isinstance(mark, ast.Call) or not ast.unparse(mark.func).endswith("parametrize") or len(mark.args) < 2:
        return None
    target, values = _target(mark.args[0]), mark.args[1]
    values = around.constants.get(values.id, values) if isinstance(values, ast.Name) else values
    if target is None or not isinstance(values, ast.List | ast.Tuple):
        return None
    return [bound_to(target, _row(value)) for value in values.elts[:MAX_ROWS]]


def _target(names: ast.expr) -> ast.expr | None:
    """The names of a parametrisation as something that can be assigned to."""
    if isinstance(names, ast.List | ast.Tuple):
        words = [item.value for item in names.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    elif isinstance(names, ast.Constant) and isinstance(names.value, str):
        words = [word.strip() for word in names.value.split(",") if word.strip()]
        if len(words) == 1:
            return ast.Name(words[0])
    else:
        return None
    return ast.Tuple([ast.Name(word) for word in words])


def _row(value: ast.expr) -> ast.expr:
    """A row without `pytest.param`."""
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("param"):
        return value.args[0] if len(value.args) == 1 else ast.Tuple(list(value.args))
    return value


def bound_to(target: ast.expr, value: ast.expr) -> dict[str, ast.expr]:
    """What the names of `target` hold when `value` is assigned to it."""
    if isinstance(target, ast.Name):
        return {target.id: value}
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        pairs = zip(target.elts, value.elts, strict=False)
        return {name: held for left, right in pairs for name, held in bound_to(left, right).items()}
    return {}
