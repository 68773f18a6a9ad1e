"""Values that are written out in source, and when two of them are the same."""

import ast
from typing import Any


class Unknown:
    """What cannot be told without running anything."""


UNKNOWN = Unknown()


def literal(node: ast.expr) -> Any:
    """The value of a literal; `UNKNOWN` for everything else."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal all through: `1` is `1.0`, but neither `True` nor `"1"`, and a list is no tuple."""
    try:
        return _same(one, other)
    except (RecursionError, TypeError, OverflowError):
        return False


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    return bool(one == other)
