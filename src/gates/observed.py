"""What the tests of a suite compare, as far as it is written out: which call with which value.

Parametrised rows, loops over literals, names of literals and the usual ways to compare are followed; nothing is run.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from src.gates.examples import Call
from src.gates.literals import UNKNOWN, literal
from src.gates.source import FoundTest, FunctionNode, blocks, found_tests

MAX_ROWS = 500
"""Rows of parameters, or rounds of a loop, that are followed for one test."""
MAX_NESTING = 30
_MAX_OBSERVATIONS = 20_000

_EQUALS = frozenset({"assertEqual", "assertEquals", "assertIs", "assertListEqual", "assertDictEqual", "isclose"})
_SAYS = {"assertTrue": True, "assertFalse": False, "assertIsNone": None}
_THROUGH = frozenset({"approx", "list", "tuple", "set"})
"""What changes a value at most into another kind of itself."""

Names = dict[str, Any]
"""What is known of names: values, or calls whose result they hold."""


@dataclass(frozen=True)
class Observation:
    """A test makes a call and demands a value."""

    test: str
    """Name of the test."""
    call: Call
    """What it calls."""
    value: Any = field(hash=False)
    """What it demands."""


def observations(suite: ast.Module) -> list[Observation]:
    """Every comparison of a call with a value that is written out, in order."""
    watch = _Watch(suite)
    constants = watch.constants(suite)
    for test in found_tests(suite):
        for row in _rows_of(test, watch, constants):
            watch.test = test.name
            watch.block(test.function.body, {**constants, **row}, 0)
    return watch.found


class _Watch:
    """Goes through a test with what is known of its names."""

    def __init__(self, suite: ast.Module) -> None:
        nodes = list(ast.walk(suite))
        taken = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
        modules = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
        self.aliases = {alias.asname or alias.name: alias.name for alias in taken}
        self.modules = {alias.asname or alias.name for alias in modules}
        self.test = ""
        self.found: list[Observation] = []

    def constants(self, suite: ast.Module) -> Names:
        """Literals that the suite gives names to at its top level."""
        names: Names = {}
        for statement in suite.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                self._assign(statement, names)
        return names

    def block(self, statements: Iterable[ast.stmt], names: Names, depth: int) -> None:
        """Follow `statements`; `names` is changed as they would."""
        if depth > MAX_NESTING:
            return
        for statement in statements:
            if len(self.found) >= _MAX_OBSERVATIONS:
                return
            self._statement(statement, names, depth)

    def _statement(self, statement: ast.stmt, names: Names, depth: int) -> None:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            self._assign(statement, names)
        elif isinstance(statement, ast.For):
            for row in _bindings(statement.target, self.value(statement.iter, names)):
                self.block(statement.body, {**names, **row}, depth + 1)
        elif isinstance(statement, ast.Assert):
            self._demand(statement.test, names)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self._method(statement.value, names)
            _forget(_changed_by(statement.value), names)
        elif not isinstance(statement, FunctionNode | ast.ClassDef):
            headed = [statement] if isinstance(statement, ast.AugAssign) else getattr(statement, "items", [])
            _forget([node for part in headed for node in ast.walk(part)], names)
            for inner in blocks(statement):
                self.block(inner, names, depth + 1)

    def value(self, node: ast.expr, names: Names) -> Any:
        """What an expression is: a value, a `Call` whose result it is, or `UNKNOWN`."""
        if isinstance(node, ast.Name):
            return names.get(node.id, UNKNOWN)
        if isinstance(node, ast.List | ast.Tuple):
            items = [self.value(item, names) for item in node.elts]
            if any(item is UNKNOWN or isinstance(item, Call) for item in items):
                return UNKNOWN
            return items if isinstance(node, ast.List) else tuple(items)
        return self._called(node, names) if isinstance(node, ast.Call) else literal(node)

    def _called(self, node: ast.Call, names: Names) -> Any:
        called = _name_of(node.func)
        if called in _THROUGH and node.args:
            inner = self.value(node.args[0], names)
            return inner if called == "approx" or isinstance(inner, Call) else _converted(called, inner)
        arguments = [argument for item in node.args for argument in self._argument(item, names)]
        arguments += [self.value(word.value, names) if word.arg else UNKNOWN for word in node.keywords]
        plain = all(item is not UNKNOWN and not isinstance(item, Call) for item in arguments)
        function = self._function(node.func)
        return Call(function, tuple(arguments)) if function and plain else UNKNOWN

    def _argument(self, node: ast.expr, names: Names) -> list[Any]:
        if not isinstance(node, ast.Starred):
            return [self.value(node, names)]
        values = self.value(node.value, names)
        return list(values) if isinstance(values, list | tuple) else [UNKNOWN]

    def _function(self, node: ast.expr) -> str:
        """The name of a function, as its module calls it; empty for a method of anything else."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        of_module = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in self.modules
        return node.attr if isinstance(node, ast.Attribute) and of_module else ""

    def _assign(self, statement: ast.Assign | ast.AnnAssign, names: Names) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = self.value(statement.value, names) if statement.value else UNKNOWN
        for target in targets:
            if isinstance(target, ast.Name):
                names[target.id] = value
            else:
                names.update((node.id, UNKNOWN) for node in ast.walk(target) if isinstance(node, ast.Name))

    def _demand(self, test: ast.expr, names: Names) -> None:
        """An assertion: each part of an `and` by itself."""
        for part in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
            if isinstance(part, ast.Compare):
                self._comparison(part, names)
            elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
                self._note(self.value(part.operand, names), False)
            elif isinstance(part, ast.Call) and _name_of(part.func) in _EQUALS:
                self._method(part, names)
            elif rounds := _rounds_of_all(part):
                for row in _bindings(rounds.generators[0].target, self.value(rounds.generators[0].iter, names)):
                    self._demand(rounds.elt, {**names, **row})
            else:
                self._note(self.value(part, names), True)

    def _comparison(self, node: ast.Compare, names: Names) -> None:
        sides = [self.value(side, names) for side in (node.left, *node.comparators)]
        for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if isinstance(operator, ast.Eq | ast.Is):
                self._note(left, right)
                self._note(right, left)

    def _method(self, node: ast.Call, names: Names) -> None:
        """`self.assertEqual(f(2), 3)`, and its like."""
        name = _name_of(node.func)
        if name in _EQUALS and len(node.args) >= 2:
            left, right = (self.value(side, names) for side in node.args[:2])
            self._note(left, right)
            self._note(right, left)
        elif name in _SAYS and node.args:
            self._note(self.value(node.args[0], names), _SAYS[name])

    def _note(self, call: Any, value: Any) -> None:
        if isinstance(call, Call) and value is not UNKNOWN and not isinstance(value, Call):
            self.found.append(Observation(self.test, call, value))


def _changed_by(call: ast.Call) -> list[ast.AST]:
    """What a method may have changed: `numbers.append(3)`."""
    return list(ast.walk(call.func)) if isinstance(call.func, ast.Attribute) else []


def _forget(nodes: list[ast.AST], names: Names) -> None:
    names.update((node.id, UNKNOWN) for node in nodes if isinstance(node, ast.Name) and node.id in names)


def _rounds_of_all(node: ast.expr) -> ast.GeneratorExp | ast.ListComp | None:
    """The loop of `all(f(x) == y for x, y in …)`."""
    if isinstance(node, ast.Call) and _name_of(node.func) == "all" and len(node.args) == 1:
        rounds = node.args[0]
        if isinstance(rounds, ast.GeneratorExp | ast.ListComp) and len(rounds.generators) == 1:
            return None if rounds.generators[0].ifs else rounds
    return None


def _converted(kind: str, value: Any) -> Any:
    """`list("ab")` and its like."""
    try:
        return {"list": list, "tuple": tuple, "set": set}[kind](value)
    except TypeError:
        return UNKNOWN


def _name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _bindings(target: ast.expr, rows: Any) -> Iterator[Names]:
    """What each round of a loop over `rows` binds; a single round with nothing known where they are not known."""
    names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
    unknown: Names = dict.fromkeys(names, UNKNOWN)
    if not isinstance(rows, list | tuple | set | str):
        yield unknown
        return
    for row in list(rows)[:MAX_ROWS]:
        yield {**unknown, **_bound(target, row)}


def _bound(target: ast.expr, row: Any) -> Names:
    if isinstance(target, ast.Name):
        return {target.id: row}
    if isinstance(target, ast.Tuple | ast.List) and isinstance(row, tuple | list) and len(target.elts) == len(row):
        return {item.id: value for item, value in zip(target.elts, row, strict=True) if isinstance(item, ast.Name)}
    return {}


def _rows_of(test: FoundTest, watch: _Watch, constants: Names) -> list[Names]:
    """What `parametrize` gives to a test: all rows, for several decorators all pairs of them."""
    rows: list[Names] = [{argument.arg: UNKNOWN for argument in test.function.args.args}]
    for node in [*test.function.decorator_list, *(test.owner.decorator_list if test.owner else [])]:
        if isinstance(node, ast.Call) and _name_of(node.func) == "parametrize" and len(node.args) >= 2:
            given = list(_parameters(node, watch, constants))
            rows = [{**row, **more} for row in rows for more in given][:MAX_ROWS]
    return rows


def _parameters(node: ast.Call, watch: _Watch, constants: Names) -> Iterator[Names]:
    titles = watch.value(node.args[0], constants)
    names = [title.strip() for title in titles.split(",")] if isinstance(titles, str) else titles
    rows = node.args[1].elts if isinstance(node.args[1], ast.List | ast.Tuple) else None
    values = [_row(row, watch, constants) for row in rows] if rows else watch.value(node.args[1], constants)
    if not isinstance(names, list | tuple) or not isinstance(values, list | tuple):
        yield {}
        return
    for value in values[:MAX_ROWS]:
        items = [value] if len(names) == 1 else value
        if isinstance(items, list | tuple) and len(items) == len(names):
            yield dict(zip(map(str, names), items, strict=True))


def _row(node: ast.expr, watch: _Watch, constants: Names) -> Any:
    """A row of parameters: a value, a tuple of them, or `pytest.param(…)`; what is unknown in it stands for itself."""
    if isinstance(node, ast.Call) and _name_of(node.func) == "param":
        values = [watch.value(item, constants) for item in node.args]
        return values[0] if len(values) == 1 else tuple(values)
    if isinstance(node, ast.Tuple):
        return tuple(watch.value(item, constants) for item in node.elts)
    return watch.value(node, constants)
