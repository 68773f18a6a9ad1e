"""How much a test demands, as far as it can be counted."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from src.gates.source import FunctionNode

_RAISING = frozenset({"raises", "warns", "deprecated_call", "fail", "assertRaises", "assertRaisesRegex", "assertWarns"})
_EXACT_METHODS = frozenset({"assertEqual", "assertListEqual", "assertDictEqual", "assertSetEqual", "assertIs"})
_EXACT_MOCKS = ("assert_called", "assert_any", "assert_has", "assert_not")
_UNSURE = (ast.If, ast.IfExp, ast.ExceptHandler, ast.Try, ast.Match)
"""What an assertion may stand in without being reached, or without its failure getting out."""


@dataclass(frozen=True)
class Strength:
    """Counts of one test."""

    assertions: int = 0
    """`assert`, `raises` and the like, assertions of mocks and of `TestCase`."""
    certain: int = 0
    """Those of them that no condition and no `try` stands around."""
    exact: int = 0
    """Those that demand one value, or an exception."""
    cases: int = 0
    """Rows of `parametrize`, and literal rows that a loop goes through."""

    def lost_in(self, other: "Strength") -> list[str]:
        """What `other` has less of, in words."""
        words = {
            "assertions": "assertions",
            "certain": "assertions outside conditions and `try`",
            "exact": "assertions that demand an exact value or an exception",
            "cases": "cases",
        }
        return [told for name, told in words.items() if getattr(other, name) < getattr(self, name)]


def strength_of(test: FunctionNode) -> Strength:
    """Count what `test` demands."""
    unsure = {id(inner) for node in ast.walk(test) if isinstance(node, _UNSURE) for inner in ast.walk(node)}
    found = [node for node in ast.walk(test) if _asserts(node)]
    return Strength(
        assertions=len(found),
        certain=sum(1 for node in found if id(node) not in unsure),
        exact=sum(1 for node in found if _is_exact(node)),
        cases=sum(_rows(node) for node in ast.walk(test)),
    )


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    name = _called(node)
    return name in _RAISING or name.startswith("assert")


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_exact(node: ast.AST) -> bool:
    if not isinstance(node, ast.Assert):
        name = _called(node)
        return name in _RAISING or name in _EXACT_METHODS or name.startswith(_EXACT_MOCKS)
    return any(isinstance(part, ast.Compare) and any(map(_demands_a_value, part.ops)) for part in _needed(node.test))


def _needed(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression, without those that an alternative can stand in for."""
    yield node
    if isinstance(node, ast.IfExp) or (isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _needed(child)


def _demands_a_value(operator: ast.cmpop) -> bool:
    return isinstance(operator, ast.Eq | ast.Is)


def _rows(node: ast.AST) -> int:
    """Literal rows of a decorator's `parametrize`, or of a loop."""
    source: ast.AST | None = None
    if _called(node) == "parametrize" and isinstance(node, ast.Call):
        values = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "argvalues")]
        source = values[0] if values else None
    elif isinstance(node, ast.For | ast.comprehension):
        source = node.iter
    return rows_of(source)


def rows_of(value: ast.AST | None) -> int:
    """How many values a literal list holds; 0 for anything else."""
    if isinstance(value, ast.Dict):
        return len(value.keys)
    return len(value.elts) if isinstance(value, ast.List | ast.Tuple | ast.Set) else 0
