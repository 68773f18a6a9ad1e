"""Values are described in a bounded text, and none of their own code runs for it."""

import collections
import dataclasses
import datetime
import decimal
import enum
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.guest.values import TEXT, describe, type_name


class Trap:
    """Everything that a description might call raises, and says so."""

    def __init__(self, **attributes: object) -> None:
        object.__getattribute__(self, "__dict__").update(attributes)

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(f"__getattribute__({name})")

    def __repr__(self) -> str:
        raise RuntimeError("__repr__")

    __str__ = __format__ = __len__ = __iter__ = __eq__ = __hash__ = __bool__ = __index__ = __repr__  # type: ignore[assignment]

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("__class__")


class TrapOfMany(list[object]):
    __repr__ = __str__ = __len__ = __iter__ = __getitem__ = __eq__ = Trap.__repr__  # type: ignore[assignment]


class TrapOfPairs(dict[str, object]):
    __repr__ = __str__ = __len__ = __iter__ = __getitem__ = items = keys = __eq__ = Trap.__repr__  # type: ignore[assignment]


class TrapOfText(str):
    __repr__ = __str__ = __len__ = __iter__ = __getitem__ = __add__ = __format__ = Trap.__repr__  # type: ignore[assignment]


class TrapOfNumber(int):
    __repr__ = __str__ = __index__ = __int__ = bit_length = __format__ = Trap.__repr__  # type: ignore[assignment]


class TrapOfError(ValueError):
    __repr__ = __str__ = Trap.__repr__
    args = property(Trap.__repr__)


class TrapOfClasses(type):
    __repr__ = __str__ = Trap.__repr__

    def __getattribute__(cls, name: str) -> Any:
        raise RuntimeError(name)


class TrappedClass(metaclass=TrapOfClasses):
    pass


class Zone(datetime.tzinfo):
    __repr__ = utcoffset = dst = tzname = Trap.__repr__  # type: ignore[assignment]


TRAPS = {
    "an instance": (Trap(x=1), "Trap(x=1)"),
    "a list": (TrapOfMany([1, 2]), "TrapOfMany([1, 2])"),
    "a dict": (TrapOfPairs(a=1), "TrapOfPairs({'a': 1})"),
    "a text": (TrapOfText("a"), "TrapOfText('a')"),
    "a number": (TrapOfNumber(7), "TrapOfNumber(7)"),
    "an error": (TrapOfError("a"), "TrapOfError('a')"),
    "an instance of a trapped class": (TrappedClass(), "<TrappedClass object>"),
    "traps within": ([Trap(), {"a": TrapOfText("b")}], "[<Trap object>, {'a': TrapOfText('b')}]"),
    "a key": ({TrapOfNumber(1): None}, "{TrapOfNumber(1): None}"),
}


@pytest.mark.parametrize("kind", TRAPS)
def test_no_code_of_a_value_runs(kind: str) -> None:
    value, described = TRAPS[kind]

    assert describe(value) == described


def test_no_code_of_a_class_or_of_a_time_zone_runs() -> None:
    described = describe(TrappedClass)

    assert described.endswith("TrappedClass>")
    assert describe(datetime.datetime(2026, 1, 1, tzinfo=Zone())).startswith("<datetime")


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int
    y: list[int]


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a = 1


class Pair(NamedTuple):
    left: int
    right: int


DESCRIBED = {
    "plain values": ([None, True, 1, 2.5, "a", b"b"], "[None, True, 1, 2.5, 'a', b'b']"),
    "nested ones": ({"a": (1, {2}), "b": frozenset()}, "{'a': (1, {2}), 'b': frozenset({})}"),
    "long ones": (list(range(9)), "[0, 1, 2, 3, 4, 5, … 3 more]"),
    "deep ones": ([[[[[1]]]]], "[[[[…]]]]"),
    "huge numbers": (1 << 100_000, "<int of 100001 bits>"),
    "an enumeration": (Colour.RED, "Colour.RED"),
    "a dataclass": (Point(1, [2]), "Point(x=1, y=[2])"),
    "slots": (Slotted(), "Slotted(a=1)"),
    "a named tuple": (Pair(1, 2), "Pair((1, 2))"),
    "an exception": (KeyError("k"), "KeyError('k')"),
    "the standard library": (
        [decimal.Decimal("1.5"), datetime.date(2026, 1, 2), Path("/a")],
        "[Decimal('1.5'), datetime.date(2026, 1, 2), PosixPath('/a')]",
    ),
    "collections": ([collections.deque([1]), collections.Counter("aa")], "[deque([1]), Counter({'a': 2})]"),
    "functions and modules": ([describe, sys], "[<function describe>, <module sys>]"),
}


@pytest.mark.parametrize("kind", DESCRIBED)
def test_a_description_tells_what_matters(kind: str) -> None:
    value, described = DESCRIBED[kind]

    assert describe(value) == described


def test_a_value_that_holds_itself_is_described() -> None:
    loop: list[object] = []
    loop.append(loop)
    trap = Trap()
    object.__getattribute__(trap, "__dict__")["me"] = trap

    assert describe(loop) == "[[[[…]]]]"
    assert describe(trap).startswith("Trap(me=Trap(me=")


def test_every_reader_takes_a_description() -> None:
    strange = Trap(**{"\udc80": "\ud800", "x": "\0\x1b[31m"})

    assert describe(strange) == r"Trap(?='\ud800', x='\x00\x1b[31m')"


def test_the_type_of_an_exception_is_named_with_its_module() -> None:
    assert type_name(KeyError) == "KeyError"
    assert type_name(decimal.InvalidOperation) == "decimal.InvalidOperation"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just(threading.Lock()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.builds(Trap, x=inner),
    max_leaves=30,
)


@given(value=ANYTHING)
def test_every_description_is_bounded(value: object) -> None:
    assert len(describe(value)) <= TEXT
