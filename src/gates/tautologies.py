"""Assertions that hold whatever the module does."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from src.gates.outline import Outline, shown
from src.gates.reach import is_empty

PURE = {"len", "type", "id", "abs", "int", "float", "bool", "str", "repr", "hash"}
"""Builtins that answer alike when asked alike. Other calls may not, so that comparing two of them means something."""

REFLEXIVE = ast.Eq | ast.Is | ast.LtE | ast.GtE

COMPARING = {
    "assertEqual": ast.Eq,
    "assertIs": ast.Is,
    "assertGreaterEqual": ast.GtE,
    "assertLessEqual": ast.LtE,
    "assertGreater": ast.Gt,
    "assertLess": ast.Lt,
    "assertIn": ast.In,
    "assertListEqual": ast.Eq,
    "assertDictEqual": ast.Eq,
    "assertAlmostEqual": ast.Eq,
}
"""Assertion methods of `unittest` and the comparison that each makes."""

OPPOSITES = {
    ast.Eq: ast.NotEq,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.Is: ast.IsNot,
    ast.In: ast.NotIn,
    ast.NotEq: ast.Eq,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.IsNot: ast.Is,
    ast.NotIn: ast.In,
}


def tautologies(outline: Outline) -> Iterator[str]:
    """A reason for each assertion that no module can fail."""
    for node in outline.nodes:
        claim = claim_of(node)
        why = always_true(claim) if claim is not None else ""
        if why:
            yield f"{outline.place(node)}: `{shown(node)}` always holds: {why}."
        elif isinstance(node, ast.Call) and _compares_with_its_message(node):
            yield (
                f"{outline.place(node)}: the second argument of `{shown(node)}` is only a message; "
                "write `assertEqual(actual, expected)`."
            )


def claim_of(node: ast.AST) -> ast.expr | None:
    """What an `assert` statement or an assertion method of `unittest` claims, as an expression."""
    if isinstance(node, ast.Assert):
        return node.test
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        return _claim_of_method(node.func.attr, node.args)
    return None


def always_true(claim: ast.expr) -> str:
    """Why `claim` holds whatever the module does, and what to write instead; empty when it may fail."""
    if isinstance(claim, ast.Constant):
        return "it is a constant; assert what the module returns" if claim.value else ""
    if isinstance(claim, ast.Tuple) and claim.elts:
        return "a tuple is never false; write `assert condition, message` without the parentheses"
    if isinstance(claim, ast.List | ast.Set | ast.Dict) and not is_empty(claim):
        return "it is not empty; compare it with what the module returns"
    if isinstance(claim, ast.Lambda | ast.GeneratorExp):
        return "a function or generator is never false; call it, or use `all(…)`"
    if isinstance(claim, ast.JoinedStr):
        return "it is only a text; compare it with what the module returns"
    if isinstance(claim, ast.UnaryOp) and isinstance(claim.op, ast.Not):
        return _not_always(claim.operand)
    if isinstance(claim, ast.BoolOp):
        return _bool_op(claim)
    if isinstance(claim, ast.Compare):
        return _comparison(claim)
    return _call(claim) if isinstance(claim, ast.Call) else ""


def _not_always(operand: ast.expr) -> str:
    false = (isinstance(operand, ast.Constant) and not operand.value) or is_empty(operand)
    return "it is a constant; assert what the module returns" if false else ""


def _bool_op(claim: ast.BoolOp) -> str:
    if isinstance(claim.op, ast.And):
        whys = [always_true(value) for value in claim.values]
        return whys[0] if all(whys) else ""
    for value in claim.values:
        if always_true(value):
            return f"`or {shown(value, 30)}` makes it so; leave that out, and compare each value by itself"
    if any(_are_opposites(left, right) for left, right in pairwise(claim.values)):
        return "one side is the opposite of the other; say which of them must hold"
    return ""


def _comparison(claim: ast.Compare) -> str:
    operands = [claim.left, *claim.comparators]
    if all(_is_literal(operand) for operand in operands):
        return "it compares only literals; compare with what the module returns"
    whys = [_pair(left, op, right) for left, op, right in zip(operands, claim.ops, operands[1:], strict=False)]
    return whys[0] if all(whys) else ""


def _pair(left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
    if isinstance(op, REFLEXIVE) and type(left) is type(right) and _is_steady(left) and _same(left, right):
        return "both sides are the same; compare with the value that the request demands"
    if isinstance(op, ast.In) and isinstance(right, ast.List | ast.Tuple | ast.Set):
        same = any(_is_steady(left) and _same(left, item) for item in right.elts)
        return "the value is compared with itself; leave it out of the list" if same else ""
    low, high = (left, right) if isinstance(op, ast.Lt | ast.LtE) else (right, left)
    if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and _is_size(high):
        bound = _number(low)
        below = bound is not None and (bound < 0 or (bound == 0 and isinstance(op, ast.LtE | ast.GtE)))
        return "no size is below zero; assert the exact size" if below else ""
    return ""


def _call(claim: ast.Call) -> str:
    if not isinstance(claim.func, ast.Name):
        return ""
    if claim.func.id == "isinstance" and len(claim.args) == 2 and _names_object(claim.args[1]):
        return "everything is an `object`; name the type, and assert the value too"
    if claim.func.id == "all" and claim.args and _goes_over_nothing(claim.args[0]):
        return "there is nothing in it; give it the values to check"
    if claim.func.id == "bool" and claim.args:
        return always_true(claim.args[0])
    return ""


def _names_object(kind: ast.expr) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(item, ast.Name) and item.id == "object" for item in kinds)


def _goes_over_nothing(values: ast.expr) -> bool:
    if isinstance(values, ast.GeneratorExp | ast.ListComp):
        return is_empty(values.generators[0].iter)
    return is_empty(values)


def _claim_of_method(name: str, args: list[ast.expr]) -> ast.expr | None:
    if name == "assertTrue":
        return args[0]
    if name == "assertFalse":
        return ast.UnaryOp(ast.Not(), args[0])
    if name == "assertIsNotNone" and isinstance(args[0], ast.Constant):
        return ast.Constant(args[0].value is not None)
    if len(args) < 2:
        return None
    if name == "assertIsInstance":
        return ast.Call(ast.Name("isinstance", ast.Load()), args[:2], [])
    if name in COMPARING:
        return ast.Compare(args[0], [COMPARING[name]()], [args[1]])
    return None


def _compares_with_its_message(call: ast.Call) -> bool:
    """`assertTrue(x, 3)`: the slip of whoever meant `assertEqual`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in {"assertTrue", "assertFalse"}:
        return False
    if len(call.args) != 2 or not _is_literal(call.args[1]):
        return False
    return not (isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, str))


def _are_opposites(left: ast.expr, right: ast.expr) -> bool:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not) and _is_steady(other):
            return _same(one.operand, other)
    if not (isinstance(left, ast.Compare) and isinstance(right, ast.Compare)):
        return False
    if len(left.ops) != 1 or len(right.ops) != 1 or OPPOSITES[type(left.ops[0])] is not type(right.ops[0]):
        return False
    same = _same(left.left, right.left) and _same(left.comparators[0], right.comparators[0])
    return same and _is_steady(left.left) and _is_steady(left.comparators[0])


def _is_steady(node: ast.expr) -> bool:
    """Whether `node` gives the same value when it is evaluated again at once."""
    for part in ast.walk(node):
        if isinstance(part, ast.Await | ast.NamedExpr | ast.Yield | ast.YieldFrom):
            return False
        if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in PURE):
            return False
    return True


def _is_literal(node: ast.expr) -> bool:
    """Whether `node` is made of constants alone."""
    alien = ast.Name | ast.Call | ast.Attribute | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
    return not any(isinstance(part, alien) for part in ast.walk(node))


def _is_size(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"len", "abs"}


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    return node.value if is_number else None  # type: ignore[attr-defined]


def _same(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)
