"""How a suite uses what it takes from the module, read off its source: what each name must be, and how it is called."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from src.gates.source import imported_names

Kind = Literal["function", "class", "exception", "constant", "object"]
"""`object`: a name whose methods are used and that is never called."""

FAULTS = ("Error", "Exception", "Warning")
"""Endings of names that everybody reads as exceptions."""
EXPECTS = frozenset({"raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex"})
BUILDS = frozenset({"builds", "from_type", "register_type_strategy", "create_autospec"})
AWAITS = frozenset({"run", "run_until_complete", "gather", "create_task", "ensure_future", "wait_for", "shield"})
WANTS_VALUE = frozenset({"len", "sum", "sorted", "min", "max", "list", "set", "tuple", "dict", "range", "enumerate"})


@dataclass(frozen=True)
class Uses:
    """What a suite expects of the module."""

    kinds: dict[str, Kind]
    """Each name that the suite takes from the module."""
    methods: frozenset[str]
    """Attributes that are called, of whatever object."""
    awaited: frozenset[str]
    """Functions and methods whose result is awaited."""
    entered: frozenset[str]
    """Functions and methods whose result stands in a `with`."""
    decorators: dict[str, int]
    """Names that decorate, and how many calls lie before that of the decorated function: `@f` 1, `@f(…)` 2."""


def uses_of(suite: ast.Module, module_name: str) -> Uses:
    """Read `suite`; what it does with names that it computes stays unknown."""
    nodes = list(ast.walk(suite))
    local = _names(nodes, suite, module_name)
    roles = _roles(nodes, local)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return Uses(
        kinds={name: _kind(name, roles[name]) for name in sorted(roles)},
        methods=frozenset(call.func.attr for call in calls if isinstance(call.func, ast.Attribute)),
        awaited=frozenset(local.get(name, name) for name in _awaited(nodes)),
        entered=frozenset(local.get(name, name) for name in _entered(nodes)),
        decorators={local.get(name, name): depth for name, depth in _decorators(nodes)},
    )


def looks_like_class(name: str) -> bool:
    """Whether a name is written as those of classes are: `Stack`, not `MAX_SIZE`, not `solve`."""
    bare = name.lstrip("_")
    return bare[:1].isupper() and not looks_like_constant(name)


def looks_like_constant(name: str) -> bool:
    """Whether a name is written in capitals alone; one letter is read as a class."""
    return name.isupper() and len(name) > 1


def _names(nodes: list[ast.AST], suite: ast.Module, module_name: str) -> dict[str, str]:
    """What each local name stands for in the module; `*` brings every name that nothing else in the suite binds."""
    found = {name: name for name in imported_names(suite, module_name)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == module_name:
            for alias in node.names:
                found |= {alias.asname or alias.name: alias.name} if alias.name != "*" else _unbound(nodes)
    return found


def _unbound(nodes: list[ast.AST]) -> dict[str, str]:
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)} | set(dir(builtins))
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return {node.id: node.id for node in names if node.id not in bound}


def _roles(nodes: list[ast.AST], local: dict[str, str]) -> dict[str, set[str]]:
    """Where each name of the module stands in the suite."""
    roles: dict[str, set[str]] = {name: set() for name in local.values()}
    for node in nodes:
        for role, place in _places(node):
            name = local.get(_last(place), "")
            if name in roles:
                roles[name].add(role)
    return roles


def _kind(name: str, roles: set[str]) -> Kind:
    if "exception" in roles or name.endswith(FAULTS):
        return "exception"
    if "class" in roles or looks_like_class(name):
        return "class"
    if "called" in roles:
        return "class" if looks_like_constant(name) else "function"
    if looks_like_constant(name) or "value" in roles or name.startswith("__"):
        return "constant"
    return "object" if "owner" in roles else "function"


def _places(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Expressions within `node` that tell by their place what stands there."""
    match node:
        case ast.Call():
            yield "called", node.func
            yield from _arguments(node)
        case ast.ClassDef():
            yield from (("class", base) for base in node.bases)
        case ast.ExceptHandler(type=ast.expr() as caught):
            yield from (("exception", each) for each in _each(caught))
        case ast.Raise(exc=ast.expr() as raised):
            yield "exception", raised.func if isinstance(raised, ast.Call) else raised
        case ast.Attribute() if not node.attr.startswith("__"):
            yield "owner", node.value
        case ast.Compare():
            yield from (("value", side) for side in (node.left, *node.comparators))
        case ast.BinOp():
            yield from (("value", side) for side in (node.left, node.right))
        case ast.Subscript():
            yield "value", node.value
        case ast.For() | ast.comprehension():
            yield "value", node.iter
        case _:
            pass


def _arguments(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    name = _last(call.func)
    if name in EXPECTS and call.args:
        yield from (("exception", each) for each in _each(call.args[0]))
    elif name in BUILDS and call.args:
        yield "class", call.args[0]
    elif name in ("isinstance", "issubclass"):
        yield from (("class", each) for argument in call.args[1:] for each in _each(argument))
    elif name in WANTS_VALUE:
        yield from (("value", argument) for argument in call.args)


def _each(expression: ast.expr) -> list[ast.expr]:
    return expression.elts if isinstance(expression, ast.Tuple) else [expression]


def _awaited(nodes: list[ast.AST]) -> Iterator[str]:
    asynchronous = any(isinstance(node, ast.AsyncFunctionDef) for node in nodes) or any(
        isinstance(node, ast.Import) and any(alias.name == "asyncio" for alias in node.names) for node in nodes
    )
    for node in nodes if asynchronous else []:
        if isinstance(node, ast.Await):
            yield from _callee(node.value)
        elif isinstance(node, ast.Call) and _last(node.func) in AWAITS:
            for argument in node.args:
                yield from _callee(argument)


def _callee(expression: ast.expr) -> Iterator[str]:
    while isinstance(expression, ast.Starred | ast.GeneratorExp | ast.ListComp):
        expression = expression.value if isinstance(expression, ast.Starred) else expression.elt
    if isinstance(expression, ast.Call) and (name := _last(expression.func)) not in AWAITS:
        yield name


def _entered(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                yield from _callee(item.context_expr)


def _decorators(nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                factory = isinstance(decorator, ast.Call)
                yield _last(decorator.func if isinstance(decorator, ast.Call) else decorator), 2 if factory else 1


def _last(expression: ast.expr) -> str:
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
