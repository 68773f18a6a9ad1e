"""Objects that stay where they are: numbered here when they go out, mirrored when they come in. Both sides use it."""

import dataclasses
import types
import weakref
from typing import Any

from .mirror import NUMBER, SPECIALS, BoundMethod, build_mirror, number_of, shape_of
from .names import BUILTIN, words
from .shared import Shared
from .wire import Malformed, encode_class

HELD = (int, float, str, bytes, complex, tuple, frozenset)
"""Immutable plain types: an object of a class derived from one carries its value to the other side."""
RUNTIME: dict[type, str] = {types.FunctionType: "function"}
CAUSES = 4
"""Exceptions that are followed along `__cause__` and `__context__`."""
FIELD_VALUES = words("name type default default_factory repr hash init compare kw_only")
FIELD_KINDS = [dataclasses._FIELD, dataclasses._FIELD_CLASSVAR, dataclasses._FIELD_INITVAR]  # type: ignore[attr-defined]
METHODS = (types.FunctionType, types.MethodDescriptorType)


class Handles(Shared):
    """Values of every kind."""

    def __init__(self) -> None:
        super().__init__()
        self.exports: dict[int, Any] = {}
        self.export_numbers: dict[int, int] = {}
        self.times_sent: dict[int, int] = {}
        self.described: set[int] = set()
        self.live: dict[int, Any] = {}
        self.times_received: dict[int, int] = {}
        self.released: list[list[int]] = []
        self.classes: dict[int, type] = {}
        self.causes_left = CAUSES
        self.encoders |= {types.TracebackType: lambda _: None, types.CoroutineType: self._encode_coroutine}  # type: ignore[dict-item, return-value]
        self.encoders[dataclasses.Field] = self._encode_field
        self.decoders |= {
            "h": self._decode_handle,
            "w": lambda items: self.own(items[0]),
            "C": self._decode_class,
            "E": self._decode_exception,
            "field": self._decode_field,
            "co": lambda items: self.drive(self._decode_handle(items)),
        }

    def drive(self, awaitable: Any) -> Any:
        """A coroutine of this side that waits for an awaitable of the other side."""
        raise NotImplementedError

    def own(self, number: object) -> Any:
        """The object that we sent under `number`. Raises Malformed."""
        if type(number) is not int or number not in self.exports:
            raise Malformed("an object that was never sent")
        return self.exports[number]

    # -- outwards

    def encode_other(self, value: object) -> list[Any]:
        """A handle, ours or one of the other side that goes home."""
        number = number_of(value)
        if number is not None:
            return ["w", number]
        kind = type(value)
        if kind is BoundMethod:
            return ["w", number_of(value.original())]  # type: ignore[attr-defined]
        if issubclass(kind, type):
            return encode_class(value) or self._encode_class(value)  # type: ignore[arg-type]
        if issubclass(kind, BaseException):
            return self._encode_exception(value)  # type: ignore[arg-type]
        return ["h", self.export(value), self._encode_class(kind), self._part(value, kind)]

    def export(self, value: object) -> int:
        """The number of one of our objects, which stays reachable until the other side has released it."""
        number = self.export_numbers.get(id(value))
        if number is None:
            number = self.export_numbers[id(value)] = self.next_number
            self.next_number += 2
            self.exports[number] = value
            self.times_sent[number] = 0
        self.times_sent[number] += 1
        return number

    def release(self, pairs: list[Any]) -> None:
        """The other side has let go of objects: forget those that are not on their way to it again."""
        for number, times in pairs:
            self.times_sent[number] -= times
            if self.times_sent[number] <= 0 and number not in self.described:
                del self.export_numbers[id(self.exports.pop(number))], self.times_sent[number]

    def _encode_coroutine(self, value: object) -> list[Any]:
        return ["co", self.export(value), self._encode_class(type(value)), None]

    def _part(self, value: Any, kind: type) -> object:
        if kind is types.FunctionType:
            return shape_of(value)
        base = next((base for base in HELD if issubclass(kind, base)), None)
        return None if base is None else self.encode(held(base, value))

    def _encode_class(self, kind: type) -> list[Any]:
        number = self.export(kind)
        if number in self.described:
            return ["C", number]
        self.described.add(number)
        return ["C", number, self._describe(kind)]

    def _describe(self, kind: type) -> list[Any]:
        names = type.__getattribute__(kind, "__dict__")
        bases = [base for base in type.__getattribute__(kind, "__bases__") if base is not object]
        module, doc = names.get("__module__"), names.get("__doc__")
        return [
            type.__getattribute__(kind, "__name__"),
            type.__getattribute__(kind, "__qualname__"),
            module if type(module) is str else "builtins",
            doc if type(doc) is str else None,
            [self._encode_base(base) for base in bases],
            sorted(name for name in SPECIALS & names.keys() if names[name] is not None),
            [name for name, value in names.items() if type(value) in METHODS and not name.startswith("__")],
            "__hash__" in names and names["__hash__"] is None,
            RUNTIME.get(kind, ""),
        ]

    def _encode_base(self, base: type) -> list[Any]:
        if base in HELD or (issubclass(base, BaseException) and encode_class(base)):
            return encode_class(base) or []
        return self._encode_class(base)

    def _encode_exception(self, error: BaseException) -> list[Any]:
        kind = type(error)
        number = self.export(error) if self.keeps(error) else 0
        told = [*object.__getattribute__(error, "__dict__").items(), *_details(error)]
        chain = self._encode_chain(error)
        return [
            "E",
            number,
            encode_class(kind) or self._encode_class(kind),
            self.encode_all(BaseException.args.__get__(error)),  # type: ignore[attr-defined]
            [[name, self.encode(value)] for name, value in told if name != NUMBER and type(name) is str],
            *chain,
        ]

    def keeps(self, error: BaseException) -> bool:
        """Whether the exception itself comes back when the other side raises it again."""
        raise NotImplementedError

    def _encode_chain(self, error: BaseException) -> list[Any]:
        if self.causes_left <= 0:
            return [None, None, False]
        self.causes_left -= 1
        try:
            return [self.encode(error.__cause__), self.encode(error.__context__), bool(error.__suppress_context__)]
        finally:
            self.causes_left += 1

    def _encode_field(self, field: Any) -> list[Any]:
        told = [self.encode(getattr(field, name)) for name in FIELD_VALUES]
        return ["field", *told, FIELD_KINDS.index(field._field_type)]

    # -- inwards

    def _decode_field(self, items: list[Any]) -> Any:
        *told, kind = items
        field = dataclasses.field()
        for name, value in zip(FIELD_VALUES, told, strict=True):
            setattr(field, name, self.decode(value))
        field._field_type = FIELD_KINDS[kind]
        return field

    def _known(self, number: object) -> Any:
        if type(number) is not int or number % 2 == self.first_number % 2:
            raise Malformed("an object with a number of ours")
        self.times_received[number] = self.times_received.get(number, 0) + 1
        reference = self.live.get(number)
        return reference() if reference is not None else None

    def _keep(self, number: int, stand_in: Any) -> Any:
        def gone(reference: object) -> None:
            if self.live.get(number) is reference:
                del self.live[number]
                self.released.append([number, self.times_received.pop(number)])

        object.__setattr__(stand_in, NUMBER, number)
        try:
            self.live[number] = weakref.ref(stand_in, gone)
        except TypeError:  # derived from int or tuple: kept to the end, so that it stays one object
            self.live[number] = lambda: stand_in
        return stand_in

    def _decode_handle(self, items: list[Any]) -> Any:
        number, kind, part = items
        mirror = self.decode(kind)  # even when it is known: the description may come with it
        known = self._known(number)
        if known is not None:
            return known
        if number_of(mirror) is None:
            raise Malformed("an object without a class")
        base = next((base for base in HELD if issubclass(mirror, base)), None)
        if base is None:
            stand_in = object.__new__(mirror)
            if type(part) is str:
                object.__setattr__(stand_in, "_split_shape", part)
        else:
            value = self.decode(part)
            if type(value) is not base:
                raise Malformed("an object that does not hold what its class does")
            stand_in = base.__new__(mirror, value)
        return self._keep(number, stand_in)

    def _decode_class(self, items: list[Any]) -> type:
        number, *described = items
        if described and number not in self.classes:
            self._known(number)
            self.classes[number] = self._build(number, described[0])
        if type(number) is not int or number not in self.classes:
            raise Malformed("a class that was never described")
        return self.classes[number]

    def _build(self, number: int, told: list[Any]) -> type:
        fields = ("name", "qualname", "module", "doc", "bases", "specials", "methods", "unhashable", "runtime")
        description = dict(zip(fields, told, strict=True))
        if not all(type(description[field]) is str for field in ("name", "qualname", "module", "runtime")):
            raise Malformed("a class without a name")
        bases = [self.decode(base) for base in description["bases"]]
        for base in bases:
            if number_of(base) is None and base not in HELD and not issubclass(base, BaseException):
                raise Malformed("a class with a base that it cannot have")
        return build_mirror(self, number, description, bases)

    def _decode_exception(self, items: list[Any]) -> BaseException:
        number, kind, args, told, cause, context, suppress = items
        mirror = self.decode(kind)
        if not (isinstance(mirror, type) and issubclass(mirror, BaseException)):
            raise Malformed("an exception that is none")
        known = self._known(number) if number else None
        if known is not None:
            return known  # type: ignore[no-any-return]
        error = _make_exception(mirror, tuple(self.decode_all(args)))
        if number:
            self._keep(number, error)
        for name, value in told:
            if type(name) is not str or (name.startswith("_split") or (name[:2] == "__" and name != "__notes__")):
                raise Malformed("an exception with an attribute that it cannot have")
            object.__setattr__(error, name, self.decode(value))
        error.__cause__, error.__context__ = self.decode(cause), self.decode(context)
        error.__suppress_context__ = bool(suppress)
        return error


def held(base: type, value: Any) -> object:
    """The plain part of `value`, taken without running anything of its class."""
    if base is int:
        return int.__int__(value)
    if base is float:
        return float.__float__(value)
    if base is str:
        return str.__str__(value)
    if base is bytes:
        return bytes.__getitem__(value, slice(None))
    if base is complex:
        return complex.__pos__(value)
    return base(base.__iter__(value))  # type: ignore[attr-defined]


_set_args = BaseException.args.__set__  # type: ignore[attr-defined]  # a stand-in would set those of its original
DETAILS = ((OSError, ("filename", "filename2")), (ImportError, ("name", "path")), (AttributeError, ("name",)))
"""What exceptions of Python hold beside their arguments."""


def _details(error: BaseException) -> list[tuple[str, Any]]:
    names = [name for kind, names in (*DETAILS, (NameError, ("name",))) if isinstance(error, kind) for name in names]
    found = [(name, object.__getattribute__(error, name)) for name in names]
    return [(name, value) for name, value in found if type(value) is str]


def _make_exception(mirror: Any, args: tuple[Any, ...]) -> BaseException:
    base = next(kind for kind in mirror.__mro__ if BUILTIN.get(kind.__name__) is kind)
    try:
        error: BaseException = base.__new__(mirror, *args)
    except TypeError:
        error = BaseException.__new__(mirror, *args)
    _set_args(error, args)
    try:
        base.__init__(error, *args)  # type: ignore[misc]  # attributes such as `errno` and `value`
    except TypeError:
        _set_args(error, args)
    return error
