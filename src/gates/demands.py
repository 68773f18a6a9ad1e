"""What a test demands of which call, read off its source: `f(-5)` must return `'x'`, `g([])` must raise `ValueError`.

Parametrised rows, loops over written-out values and names that hold such values are filled in. What a test does before
the call stands in `setup`. A demand that cannot be read keeps its text and is comparable by that alone.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Literal

from src.gates.source import FunctionNode
from src.gates.surroundings import Surroundings, assigned, bound_to, is_literal, rows_of

DemandKind = Literal["value", "about", "truth", "type", "compared", "raises", "text"]

MAX_ROUNDS = 12
"""Rounds of a loop that are looked at."""
MAX_TEXT = 300
"""Longest text of a call or of a step before it, in characters."""
MAX_STEPS = 8
"""Most steps before a call that are told."""

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}
_TELLING = frozenset({"startswith", "endswith", *(name for name in dir(str) if name.startswith("is"))})
"""Methods of text: a question about them would say what is expected of the text."""
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "in": "contains", "not in": "lacks"}


@dataclass(frozen=True)
class Demand:
    """One thing that a test demands."""

    call: str
    """Source of what is called, without what is expected of it."""
    kind: DemandKind
    """How `wanted` is meant."""
    wanted: str
    """Source of the value, names of exceptions, or the test's own text."""
    operator: str = "=="
    """How a compared value stands to `wanted`."""
    setup: tuple[str, ...] = ()
    """What is done before."""


def demands_of(function: FunctionNode, around: Surroundings) -> list[Demand]:
    """What the test demands, in order, each once."""
    found: list[Demand] = []
    for row in rows_of(function, around):
        filled = {name: _Filling(around.constants).visit(deepcopy(value)) for name, value in row.items()}
        scope = _Scope(around, _locals(function), {**around.constants, **filled})
        for argument in function.args.args:
            if argument.arg in around.fixtures and argument.arg not in row:
                scope.note(argument.arg, around.fixtures[argument.arg])
        found.extend(_walk(function.body, scope))
    return list(dict.fromkeys(found))


@dataclass
class _Scope:
    """What is known at a place of a test."""

    around: Surroundings
    local: frozenset[str]
    known: dict[str, ast.expr]
    steps: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    made: dict[str, tuple[ast.expr, int]] = field(default_factory=dict)

    def filled(self, node: ast.expr) -> ast.expr:
        filled: ast.expr = ast.fix_missing_locations(_Filling(self.known).visit(deepcopy(node)))
        return filled

    def step(self, text: str, nodes: Sequence[ast.AST]) -> None:
        self.steps.append((text[:MAX_TEXT], self._names(nodes)))

    def note(self, name: str, value: ast.expr) -> None:
        """`name` holds the outcome of `value` from here on."""
        self.known.pop(name, None)
        if self.touches(value):
            self.made[name] = (value, len(self.steps))
        self.steps.append((f"{name} = {ast.unparse(value)}"[:MAX_TEXT], self._names([value]) | {name}))

    def before(self, node: ast.expr, end: int | None = None) -> tuple[str, ...]:
        """The steps that have to do with `node`."""
        needed = set(self._names([node]))
        told: list[str] = []
        for text, names in reversed(self.steps[:end]):
            if names & needed:
                needed |= names
                told.append(text)
        return tuple(reversed(told[:MAX_STEPS]))

    def touches(self, node: ast.AST) -> bool:
        """Whether what was taken from the module has a part in it."""
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return bool(names & (self.around.subjects | set(self.made)))

    def _names(self, nodes: Sequence[ast.AST]) -> frozenset[str]:
        found = {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return frozenset(found & self.local)


class _Filling(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:  # the name that `ast` looks for
        return deepcopy(self._known.get(node.id, node)) if isinstance(node.ctx, ast.Load) else node


def _walk(block: Sequence[ast.stmt], scope: _Scope) -> Iterator[Demand]:
    for statement in block:
        match statement:
            case ast.Assert():
                yield from _observed(scope.filled(statement.test), scope)
            case ast.With() | ast.AsyncWith():
                yield from _with(statement, scope)
            case ast.For():
                yield from _for(statement, scope)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name)) as call) if name.startswith("assert"):
                yield from _asserted(name, scope.filled(call), scope)
            case _:
                _happened(statement, scope)


def _happened(statement: ast.stmt, scope: _Scope) -> None:
    name, value = assigned(statement)
    if value is not None:
        value = scope.filled(value)
        if is_literal(value):
            scope.known[name] = value
            return
        scope.note(name, value)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # a docstring
    else:
        filled = _Filling(scope.known).visit(deepcopy(statement))
        scope.step(ast.unparse(ast.fix_missing_locations(filled)), [filled])


def _with(statement: ast.With | ast.AsyncWith, scope: _Scope) -> Iterator[Demand]:
    expected = next((item.context_expr for item in statement.items if _is_raises(item.context_expr)), None)
    if expected is None:
        heads = [item.context_expr for item in statement.items]
        scope.step("with " + ", ".join(ast.unparse(scope.filled(head)) for head in heads), heads)
        yield from _walk(statement.body, scope)
        return
    yield from _walk(statement.body[:-1], scope)
    last = statement.body[-1]
    value = last.value if isinstance(last, ast.Expr | ast.Assign | ast.AnnAssign | ast.Return) else None
    if value is None:
        yield Demand(_bounded(last), "text", "raises")
        return
    call = scope.filled(value)
    wanted = expected.args[0] if isinstance(expected, ast.Call) and expected.args else None
    names = wanted.elts if isinstance(wanted, ast.Tuple) else [wanted] if wanted else []
    raised = ", ".join(ast.unparse(name) for name in names)
    yield Demand(_bounded(call), "raises", raised or "Exception", setup=scope.before(call))


def _for(statement: ast.For, scope: _Scope) -> Iterator[Demand]:
    values = scope.filled(statement.iter)
    if isinstance(values, ast.List | ast.Tuple | ast.Set) and is_literal(values):
        for value in values.elts[:MAX_ROUNDS]:
            inner = replace(scope, known={**scope.known, **bound_to(statement.target, value)}, steps=list(scope.steps))
            yield from _walk(statement.body, inner)
        return
    scope.step(f"for {ast.unparse(statement.target)} in {ast.unparse(values)}", [statement.target, values])
    yield from _walk(statement.body, scope)


def _asserted(name: str, call: ast.expr, scope: _Scope) -> Iterator[Demand]:
    """The assertions of `unittest` that have a counterpart in plain ones."""
    arguments = call.args if isinstance(call, ast.Call) else []
    match name, arguments:
        case (("assertEqual" | "assertIs"), [left, right, *_]):
            yield from _observed(ast.Compare(left, [ast.Eq()], [right]), scope)
        case "assertTrue", [value, *_]:
            yield from _observed(value, scope)
        case "assertFalse", [value, *_]:
            yield from _observed(ast.UnaryOp(ast.Not(), value), scope)
        case _:
            yield from _as_text(call, scope)


def _observed(test: ast.expr, scope: _Scope) -> Iterator[Demand]:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _observed(value, scope)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            yield from _compared(left, operator, right, scope)
        case ast.Call(func=ast.Name(id="isinstance"), args=[value, kind]):
            yield _demand(value, "type", kind, scope)
        case ast.Call(func=ast.Name(id="isclose") | ast.Attribute(attr="isclose"), args=[left, right]):
            yield from _compared(left, ast.Eq(), ast.Call(ast.Name("approx"), [right], []), scope)
        case ast.UnaryOp(op=ast.Not(), operand=(ast.Call() | ast.Name()) as call) if _is_subject(call, scope):
            yield _demand(call, "truth", ast.Constant(False), scope)
        case ast.Call() | ast.Name() if _is_subject(test, scope):
            yield _demand(test, "truth", ast.Constant(True), scope)
        case _:
            yield from _as_text(test, scope)


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr, scope: _Scope) -> Iterator[Demand]:
    turned = scope.touches(right) and not scope.touches(left)
    value, wanted = (right, left) if turned else (left, right)
    if not scope.touches(value):
        return  # a check of something else, a captured message say
    if isinstance(operator, ast.Eq | ast.Is):
        about = isinstance(wanted, ast.Call) and ast.unparse(wanted.func).endswith("approx") and wanted.args
        yield _demand(value, "about" if about else "value", wanted.args[0] if about else wanted, scope)  # type: ignore[attr-defined]  # a call, see above
        return
    sign = "!=" if isinstance(operator, ast.IsNot) else _OPERATORS[type(operator)]
    yield replace(_demand(value, "compared", wanted, scope), operator=_MIRRORED[sign] if turned else sign)


def _as_text(test: ast.expr, scope: _Scope) -> Iterator[Demand]:
    """Of a check that says more than a value, only the call inside it is told."""
    parts = [node for node in ast.walk(test) if isinstance(node, ast.Call | ast.Name) and _is_subject(node, scope)]
    for part in parts[:1]:
        yield _demand(part, "text", test, scope)


def _is_subject(node: ast.Call | ast.Name, scope: _Scope) -> bool:
    """Whether it is a call of the module's own, or a name that holds what such a call gave."""
    if isinstance(node, ast.Name):
        return node.id in scope.made
    root = node.func
    if isinstance(root, ast.Attribute) and root.attr in _TELLING:
        return False
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in (scope.around.subjects | set(scope.made))


def _demand(value: ast.expr, kind: DemandKind, wanted: ast.expr, scope: _Scope) -> Demand:
    if isinstance(value, ast.Name) and value.id in scope.made:
        call, at = scope.made[value.id]
        return Demand(_bounded(call), kind, ast.unparse(wanted), setup=scope.before(call, at))
    return Demand(_bounded(value), kind, ast.unparse(wanted), setup=scope.before(value))


def _bounded(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:MAX_TEXT]


def _is_raises(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("raises", "assertRaises")


def _locals(function: FunctionNode) -> frozenset[str]:
    arguments = {argument.arg for argument in function.args.args}
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(arguments | stored)
