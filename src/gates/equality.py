"""Comparisons that were decided beforehand."""

import ast

_YES = frozenset(
    {"__eq__", "__contains__", "__le__", "__ge__", "__lt__", "__gt__", "__instancecheck__", "__subclasscheck__"}
)
_NO = frozenset({"__ne__"})
_TRUTH = frozenset({"__bool__"})


def agrees_with_all(node: ast.AST) -> bool:
    """Whether `node` makes a comparison that agrees whatever it is given.

    A method, an assignment of a lambda, or a table of methods that a class may be made of.
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
        case _:
            return False


def _agrees(name: str, answers: list[ast.expr | None]) -> bool:
    """`__bool__` counts as well: an object that is always true passes every bare `assert`."""
    wanted = name in _YES | _TRUTH
    return (wanted or name in _NO) and bool(answers) and all(_is(answer, wanted) for answer in answers)


def _is(answer: ast.expr | None, wanted: bool) -> bool:
    return isinstance(answer, ast.Constant) and bool(answer.value) is wanted


def _answers(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr | None]:
    """What it returns."""
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
