"""Describes values in a bounded text without running any code of theirs.

A `__repr__` of generated code may raise, recurse, never end, or lie. None is called: what a value is shows from the
builtin type at its core and from where the interpreter itself keeps its attributes.
"""

import datetime
import decimal
import pathlib
import types
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

TEXT = 120
"""Characters of one described value, about."""
ITEMS = 6
DEPTH = 3
INT_BITS = 256
PLAIN = (type(None), bool, float, complex, type(...), type(NotImplemented), range)
FOREIGN = (
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    datetime.timezone,
    decimal.Decimal,
    pathlib.PosixPath,
    pathlib.PurePosixPath,
)
"""Types of the standard library whose text is short and runs no code but their own."""

ZONES = (type(None), datetime.timezone)

_NAME = type.__dict__["__name__"].__get__
_MODULE = type.__dict__["__module__"].__get__
_QUALIFIED = type.__dict__["__qualname__"].__get__
_MRO = type.__dict__["__mro__"].__get__
_DICT = type.__dict__["__dict__"].__get__


def describe(value: object, room: int = TEXT) -> str:
    """`value` in about `room` characters. Never raises."""
    try:
        return cut(_describe(value, DEPTH), room)
    except Exception:  # noqa: BLE001  # another thread may change it meanwhile, or it is bent beyond what we know
        return cut(f"<{type_name(type(value))}>", room)


def cut(text: str, room: int) -> str:
    """`text` in at most `room` characters, its middle left out, and such that every UTF-8 reader takes it."""
    half = (room - 1) // 2
    kept = text if len(text) <= room else f"{text[:half]}…{text[len(text) - half :]}"
    return kept.encode("utf-8", "replace").decode()


def type_name(kind: type) -> str:
    """Name of a class with its module, if that is not `builtins`."""
    name, module = _QUALIFIED(kind), _MODULE(kind)
    prefix = f"{str.__str__(module)}." if issubclass(type(module), str) and module != "builtins" else ""
    return prefix + str.__str__(name)


def _describe(value: object, depth: int) -> str:
    kind = type(value)
    if kind in PLAIN or (kind in FOREIGN and type(getattr(value, "tzinfo", None)) in ZONES):
        return repr(value)
    for base, describer in DESCRIBERS.items():
        if issubclass(kind, base):
            return _named(kind, base, describer(value, depth))
    return _instance(value, kind, depth)


def _named(kind: type, base: type, text: str) -> str:
    return text if base is type or (kind is base and kind is not BaseException) else f"{_NAME(kind)}({text})"


def _int(value: int, _: int) -> str:
    bits = int.bit_length(value)
    return int.__repr__(value) if bits <= INT_BITS else f"<int of {bits} bits>"


def _str(value: str, _: int) -> str:
    return _sliced(value, str, str.__len__(value))


def _bytes(value: bytes, _: int) -> str:
    return _sliced(value, bytes, bytes.__len__(value))


def _bytearray(value: bytearray, _: int) -> str:
    return _sliced(value, bytearray, bytearray.__len__(value))


def _sliced(value: object, base: Any, length: int) -> str:
    if length <= TEXT:
        return str(base.__repr__(value))
    half = TEXT // 2
    start, end = (base.__getitem__(value, part) for part in (slice(half), slice(length - half, length)))
    return f"{base.__repr__(start)}…{base.__repr__(end)} (length {length})"


def _items(open_: str, close: str, base: Any) -> Callable[[object, int], str]:
    def describer(value: object, depth: int) -> str:
        length = base.__len__(value)
        return f"{open_}{_listed(base.__iter__(value), length, depth)}{close}"

    return describer


def _listed(items: Iterable[object], length: int, depth: int) -> str:
    if depth == 0 and length:
        return "…"
    shown = [_describe(item, depth - 1) for item in islice(items, ITEMS)]
    return ", ".join([*shown, f"… {length - ITEMS} more"] if length > ITEMS else shown)


def _dict(value: dict[object, object], depth: int) -> str:
    length = dict.__len__(value)
    return "{" + _pairs(dict.items(value), length, depth, ": ") + "}"


def _pairs(pairs: Iterable[tuple[object, object]], length: int, depth: int, between: str) -> str:
    if depth == 0 and length:
        return "…"
    shown = []
    for key, item in islice(pairs, ITEMS):
        name = key if between == "=" and type(key) is str else _describe(key, depth - 1)
        shown.append(f"{name}{between}{_describe(item, depth - 1)}")
    return ", ".join([*shown, f"… {length - ITEMS} more"] if length > ITEMS else shown)


def _exception(value: BaseException, depth: int) -> str:
    arguments = BaseException.__dict__["args"].__get__(value)
    return _listed(arguments, len(arguments), depth)


def _class(value: type, _: int) -> str:
    return f"<class {type_name(value)}>"


def _function(value: types.FunctionType, _: int) -> str:
    return f"<function {value.__qualname__}>"


def _module(value: types.ModuleType, _: int) -> str:
    return f"<module {types.ModuleType.__getattribute__(value, '__name__')}>"


def _instance(value: object, kind: type, depth: int) -> str:
    """`Point(x=1, y=2)`: what its `__dict__` and its slots hold."""
    name = _NAME(kind)
    attributes = _attributes(value, kind)
    for key, member in attributes:
        if type(key) is str and key == "_name_" and type(member) is str:  # of an enumeration
            return f"{name}.{member}"
    return f"{name}({_pairs(attributes, len(attributes), depth, '=')})" if attributes else f"<{name} object>"


def _attributes(value: object, kind: type) -> list[tuple[object, object]]:
    found: list[tuple[object, object]] = []
    for base in reversed(_MRO(kind)):
        for name, slot in _DICT(base).items():
            if type(slot) is types.MemberDescriptorType and _MODULE(base) != "builtins":
                try:
                    found.append((name, slot.__get__(value)))
                except AttributeError:  # not set
                    continue
            elif name == "__dict__" and type(slot) is types.GetSetDescriptorType:
                found += islice(dict.items(slot.__get__(value)), ITEMS * 4)
    return found


DESCRIBERS: dict[type, Callable[..., str]] = {
    int: _int,
    str: _str,
    bytes: _bytes,
    bytearray: _bytearray,
    float: lambda value, _: float.__repr__(value),
    list: _items("[", "]", list),
    tuple: _items("(", ")", tuple),
    set: _items("{", "}", set),
    frozenset: _items("frozenset({", "})", frozenset),
    deque: _items("deque([", "])", deque),
    dict: _dict,
    BaseException: _exception,
    type: _class,
    types.FunctionType: _function,
    types.ModuleType: _module,
}
