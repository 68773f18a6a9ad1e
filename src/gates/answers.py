"""Whether an answer in words ("raises ValueError", "returns `[1, 2]`") is what a test demands.

Values are compared as values, exceptions by their names and what they derive from, the rest as text without marks and
blanks. What cannot be compared counts as different: an assumption stands only where the agreement can be shown.
"""

import builtins
import math
import operator
import re
from collections.abc import Callable, Collection
from typing import Any

from src.gates.demands import Demand
from src.gates.literals import UNKNOWN, literal, same
from src.gates.source import parse_expression

MAX_ANSWER = 500
"""Longest answer that is compared, in characters."""

_LEAD = re.compile(
    r"(?:(?:it|this|the call)\s+)?(?:(?:should|must|would|shall)\s+)?"
    r"(?:returns?|gives?|yields?|evaluates? to|is|be|equals?|=+)\s*:?\s+",
    re.I,
)
_RAISES = re.compile(
    r"(?:(?:it|this|the call)\s+)?(?:(?:should|must|would|shall)\s+)?(?:raises?|throws?|fails? with)\b", re.I
)
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|StopIteration)\b")
_CODE = re.compile(r"`+([^`]+)`+")
_TAIL = re.compile(r"\s+(?:\(|because\b|since\b|as the\b|(?:-{1,2}|\u2013|\u2014)\s).*\Z|[.;]\s*\Z", re.S)

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, wanted: value in wanted,
    "not in": lambda value, wanted: value not in wanted,
    "contains": operator.contains,
    "lacks": lambda value, wanted: wanted not in value,
}


def agrees(answer: str, demand: Demand) -> bool:
    """Whether code that does what `answer` says meets `demand`."""
    answer = answer.strip()[:MAX_ANSWER]
    if not answer:
        return False
    if plain(answer) == plain(demanded(demand)):
        return True
    if demand.kind == "raises":
        return _same_exception(answer, demand.wanted.split(", "))
    if raised(answer) or demand.kind == "text":
        return False
    return _same_value(answer, demand)


def demanded(demand: Demand) -> str:
    """What a test demands, in words."""
    match demand.kind:
        case "raises":
            return f"raises {' or '.join(demand.wanted.split(', '))}"
        case "about":
            return f"returns about {demand.wanted}"
        case "type":
            return f"returns a value of type {demand.wanted}"
        case "compared":
            return f"returns a value that {_SAID.get(demand.operator, 'is ' + demand.operator)} {demand.wanted}"
        case "text":
            return f"does what this says: {demand.wanted}"
        case _:
            return f"returns {demand.wanted}"


_SAID = {"contains": "contains", "lacks": "does not contain", "in": "is in", "not in": "is not in"}


def raised(answer: str) -> list[str]:
    """Names of the exceptions that `answer` says are raised; none when it says something else."""
    bare = answer.strip().strip("`*")
    if _RAISES.match(bare) or _EXCEPTION.match(bare):
        return _EXCEPTION.findall(bare)
    return []


def plain(text: str) -> str:
    """`text` without marks, its lead ("returns") and its full stop, as texts are compared."""
    bare = " ".join(text.replace("`", "").replace("*", "").split()).rstrip(".")
    return _LEAD.sub("", bare, count=1)


def _same_exception(answer: str, wanted: Collection[str]) -> bool:
    return any(_is_kind_of(name, other) for name in raised(answer)[:1] for other in wanted)


def _is_kind_of(name: str, wanted: str) -> bool:
    """Whether `pytest.raises(wanted)` takes an exception called `name`."""
    name, wanted = name.rpartition(".")[2], wanted.rpartition(".")[2]
    own, other = getattr(builtins, name, None), getattr(builtins, wanted, None)
    if isinstance(own, type) and isinstance(other, type):
        return issubclass(own, other)
    return name == wanted


def _same_value(answer: str, demand: Demand) -> bool:
    value, wanted = _value(answer), _literal(demand.wanted)
    if demand.kind == "type":
        return value is not UNKNOWN and type(value).__name__ == demand.wanted
    if value is UNKNOWN or wanted is UNKNOWN:
        return plain(answer) == (wanted if isinstance(wanted, str) else plain(demand.wanted))
    try:
        return bool(_compared(value, wanted, demand))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False


def _compared(value: Any, wanted: Any, demand: Demand) -> Any:
    match demand.kind:
        case "truth":
            return bool(value) is bool(wanted)
        case "about":
            return math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-12)
        case "compared":
            return _COMPARISONS[demand.operator](value, wanted)
        case _:
            return same(value, wanted)


def _value(answer: str) -> Any:
    """The value that is written out in an answer."""
    bare = _LEAD.sub("", answer.strip().strip("*"), count=1).strip()
    code = _CODE.match(bare)
    for text in ([code[1]] if code else []) + [bare, _TAIL.sub("", bare)]:
        value = _literal(text)
        if value is not UNKNOWN:
            return value
    return UNKNOWN


def _literal(text: str) -> Any:
    node = parse_expression(text.strip()) if text.strip() else None
    return UNKNOWN if node is None else literal(node)
