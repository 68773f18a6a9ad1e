"""What crosses the channel, as JSON: plain values exactly, and nothing that is ever executed. Both sides use it.

A JSON scalar stands for itself (an integer of more than 64 bits is tagged), every other value is a list that begins
with its tag. JSON objects are never used. A subclass never becomes its base: only exact types have a tag here, all
else is left to `encode_other`.
"""

import base64
import collections
import datetime
import decimal
import fractions
import importlib
import inspect
import json
import pathlib
import sys
import types
import uuid
import zoneinfo
from collections.abc import Callable
from typing import Any

from .names import MODULES, class_named, name_of_class

MAX_BYTES = 16 * 1024 * 1024
"""Of one message. A larger one is refused by its sender, and breaks the channel when it arrives."""
SMALL = 1 << 63
AS_THEY_ARE = frozenset({str, bool, float, type(None)})
PATHS = (pathlib.PurePosixPath, pathlib.PosixPath, pathlib.PureWindowsPath)


class Malformed(Exception):
    """A message that no honest peer sends."""


class CannotSend(Exception):
    """A value that is too large or too deep for the channel."""


def to_bytes(message: list[Any]) -> bytes:
    """One frame: four bytes of length, then JSON."""
    try:
        data = _encoder.encode(message).encode()
    except RecursionError:
        raise CannotSend("a value nested too deeply for the channel") from None
    if len(data) > MAX_BYTES:
        raise CannotSend(f"a value of more than {MAX_BYTES >> 20} MiB")
    return len(data).to_bytes(4, "big") + data


def from_bytes(data: bytes) -> list[Any]:
    """The message in a frame. Raises Malformed."""
    try:
        message = json.loads(data, object_hook=_no_objects)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not a message: {type(error).__name__}") from None
    if type(message) is not list or not message:
        raise Malformed("not a message")
    return message


_encoder = json.JSONEncoder(check_circular=False, separators=(",", ":"))


def _no_objects(_: object) -> None:
    raise ValueError("a JSON object")


class Values:
    """Encodes and decodes; what is not plain goes to the methods that a peer overrides."""

    def __init__(self) -> None:
        self.encoders: dict[type, Callable[[Any], list[Any]]] = dict(_SIMPLE)
        self.encoders |= {
            tuple: lambda value: ["t", *self.encode_all(value)],
            frozenset: lambda value: ["z", *self.encode_all(value)],
            slice: lambda value: ["slice", *self.encode_all((value.start, value.stop, value.step))],
            datetime.datetime: self._encode_datetime,
            datetime.time: self._encode_time,
            inspect.Signature: self._encode_signature,
            types.ModuleType: lambda value: encode_module(value) or self.encode_other(value),
        }
        self.decoders: dict[str, Callable[[list[Any]], Any]] = dict(_PLAIN_TAGS)
        self.decoders |= {
            "t": lambda items: tuple(self.decode_all(items)),
            "z": lambda items: frozenset(self.decode_all(items)),
            "slice": lambda items: slice(*self.decode_all(items)),
            "datetime": lambda items: self._with_zone(datetime.datetime.fromisoformat(items[0]), items),
            "time": lambda items: self._with_zone(datetime.time.fromisoformat(items[0]), items),
            "signature": self._decode_signature,
        }

    def encode(self, value: Any) -> object:
        """`value` as JSON. Raises CannotSend."""
        kind = type(value)
        if kind in AS_THEY_ARE:
            return value
        if kind is int:
            return value if -SMALL < value < SMALL else ["i", hex(value)]
        encoder = self.encoders.get(kind)
        return encoder(value) if encoder is not None else self.encode_other(value)

    def encode_all(self, values: Any) -> list[Any]:
        """Each of them."""
        return [value if type(value) in AS_THEY_ARE else self.encode(value) for value in values]

    def decode(self, data: object) -> Any:
        """The value of some JSON. Raises Malformed, or what its type's constructor raises."""
        if type(data) is not list:
            return data
        if not data or type(data[0]) is not str:
            raise Malformed("a value without a tag")
        decoder = self.decoders.get(data[0])
        if decoder is None:
            raise Malformed(f"unknown tag {data[0][:40]!r}")
        return decoder(data[1:])

    def decode_all(self, items: list[Any]) -> list[Any]:
        """Each of them."""
        return [item if type(item) is not list else self.decode(item) for item in items]

    def encode_other(self, value: object) -> list[Any]:
        """What has no tag of its own."""
        raise NotImplementedError

    def _encode_datetime(self, value: datetime.datetime) -> list[Any]:
        return ["datetime", value.replace(tzinfo=None).isoformat(), self.encode(value.tzinfo), value.fold]

    def _encode_time(self, value: datetime.time) -> list[Any]:
        return ["time", value.replace(tzinfo=None).isoformat(), self.encode(value.tzinfo), value.fold]

    def _with_zone(self, moment: Any, items: list[Any]) -> Any:
        return moment.replace(tzinfo=self.decode(items[1]), fold=items[2])

    def _encode_signature(self, value: inspect.Signature) -> list[Any]:
        rows = [[p.name, int(p.kind), *self.encode_all((p.default, p.annotation))] for p in value.parameters.values()]
        return ["signature", self.encode(value.return_annotation), *rows]

    def _decode_signature(self, items: list[Any]) -> inspect.Signature:
        kinds = list(inspect._ParameterKind)
        parameters = [
            inspect.Parameter(name, kinds[kind], default=self.decode(default), annotation=self.decode(annotation))
            for name, kind, default, annotation in items[1:]
        ]
        return inspect.Signature(parameters, return_annotation=self.decode(items[0]))


def _encode_class(value: type) -> list[Any] | None:
    name = name_of_class(value)
    return None if name is None else ["y", name]


def _decode_class(items: list[Any]) -> type:
    found = class_named(items[0]) if type(items[0]) is str else None
    if found is None:
        raise Malformed("an unknown class")
    return found


def encode_module(value: types.ModuleType) -> "list[Any] | None":
    """A module of Python itself, by name."""
    name = vars(value).get("__name__")
    if type(name) is not str or name.partition(".")[0] not in MODULES or sys.modules.get(name) is not value:
        return None
    return ["m", name]


def _decode_module(items: "list[Any]") -> types.ModuleType:
    if type(items[0]) is not str or items[0].partition(".")[0] not in MODULES:
        raise Malformed("an unknown module")
    return importlib.import_module(items[0])


def _decode_path(items: list[Any]) -> pathlib.PurePath:
    return PATHS[items[0]](items[1])


encode_class = _encode_class

_SIMPLE: dict[type, Callable[[Any], list[Any]]] = {
    bytes: lambda value: ["b", base64.b64encode(value).decode()],
    complex: lambda value: ["j", value.real, value.imag],
    range: lambda value: ["range", hex(value.start), hex(value.stop), hex(value.step)],
    type(...): lambda _: ["..."],
    type(NotImplemented): lambda _: ["NotImplemented"],
    datetime.date: lambda value: ["date", value.isoformat()],
    datetime.timedelta: lambda value: ["timedelta", value.days, value.seconds, value.microseconds],
    datetime.timezone: lambda value: ["timezone", value.utcoffset(None).total_seconds(), value.tzname(None)],
    zoneinfo.ZoneInfo: lambda value: ["zone", value.key],
    decimal.Decimal: lambda value: ["decimal", str(value)],
    fractions.Fraction: lambda value: ["fraction", hex(value.numerator), hex(value.denominator)],
    uuid.UUID: lambda value: ["uuid", value.hex],
    **{kind: lambda value, n=n: ["path", n, str(value)] for n, kind in enumerate(PATHS)},  # type: ignore[misc]
}

_PLAIN_TAGS: dict[str, Callable[[list[Any]], Any]] = {
    "i": lambda items: int(items[0], 16),
    "b": lambda items: base64.b64decode(items[0], validate=True),
    "j": lambda items: complex(*items),
    "range": lambda items: range(*(int(item, 16) for item in items)),
    "...": lambda _: ...,
    "NotImplemented": lambda _: NotImplemented,
    "date": lambda items: datetime.date.fromisoformat(items[0]),
    "timedelta": lambda items: datetime.timedelta(*items),
    "timezone": lambda items: _timezone(*items),
    "zone": lambda items: zoneinfo.ZoneInfo(items[0]),
    "decimal": lambda items: decimal.Decimal(items[0]),
    "fraction": lambda items: fractions.Fraction(*(int(item, 16) for item in items)),
    "uuid": lambda items: uuid.UUID(items[0]),
    "path": _decode_path,
    "y": _decode_class,
    "m": _decode_module,
}


def _timezone(seconds: float, name: str) -> datetime.timezone:
    plain = datetime.timezone(datetime.timedelta(seconds=seconds))
    if seconds == 0 and name == "UTC":
        return datetime.timezone.utc  # noqa: UP017  # its name is not in 3.10's module
    return plain if plain.tzname(None) == name else datetime.timezone(plain.utcoffset(None), name)


MUTABLE = (list, dict, set, bytearray, collections.deque, collections.OrderedDict, collections.Counter)
PLAIN = frozenset({int, *AS_THEY_ARE, tuple, frozenset, slice, datetime.datetime, datetime.time, *_SIMPLE, *MUTABLE})
"""Exact types that travel by value."""
