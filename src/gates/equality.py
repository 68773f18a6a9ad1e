"""Comparisons that were decided beforehand."""

import ast
from collections import Counter
from collections.abc import Iterator

from src.gates.tautologies import always_true

_YES = frozenset(
    {"__eq__", "__contains__", "__le__", "__ge__", "__lt__", "__gt__", "__instancecheck__", "__subclasscheck__"}
    | {"__subclasshook__"}
)
_NO = frozenset({"__ne__"})
_TRUTH = frozenset({"__bool__"})


def agrees_with_all(node: ast.AST) -> bool:
    """Whether `node` makes a comparison that agrees whatever it is given.

    A method, an assignment of a lambda, or a table of methods that a class may be made of, `setattr` included.
    """
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _agrees(node.name, _answers(node))
        case ast.Assign(value=ast.Lambda(body=answer)):
            names = [getattr(target, "attr", getattr(target, "id", "")) for target in node.targets]
            return any(_agrees(name, [answer]) for name in names)
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return any(
                _agrees(str(key.value), [value.body])
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(value, ast.Lambda)
            )
        case ast.Call():
            return any(_agrees(name, [answer]) for name, answer in _handed_over(node))
        case _:
            return False


def _agrees(name: str, answers: list[ast.expr | None]) -> bool:
    """`__bool__` counts as well: an object that is always true passes every bare `assert`."""
    wanted = name in _YES | _TRUTH
    return (wanted or name in _NO) and bool(answers) and all(_is(answer, wanted) for answer in answers)


def _handed_over(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """`setattr(A, "__eq__", lambda …)` and `dict(__eq__=lambda …)`: the name, and what the lambda answers."""
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), ast.Lambda(body=answer)]):
            yield name, answer
    for keyword in call.keywords:
        if keyword.arg and isinstance(keyword.value, ast.Lambda):
            yield keyword.arg, keyword.value.body


def _is(answer: ast.expr | None, wanted: bool) -> bool:
    match answer:
        case None:
            return False
        case ast.Constant(value=value):
            return bool(value) is wanted
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is(operand, not wanted)
        case _:
            return wanted and bool(always_true(answer))


def _answers(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr | None]:
    """What it returns; for a name that is bound once, to one value, that value."""
    parts = list(ast.walk(node))
    bound = Counter(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    values = {
        part.targets[0].id: part.value
        for part in parts
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and bound[part.targets[0].id] == 1
    }
    returned = [part.value for part in parts if isinstance(part, ast.Return)]
    return [values.get(one.id, one) if isinstance(one, ast.Name) else one for one in returned]
