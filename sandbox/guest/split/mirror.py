"""Stand-ins for objects of the other side. Both sides use them.

Each class of the other side gets a mirror of its own with mirrored bases, so that `isinstance`, `issubclass` and
`except` are decided here. An instance of a mirror holds a number and asks the other side for everything else. Where the
original derives from an immutable plain type or from an exception, the mirror does too, and holds that part of it.
"""

import inspect
import types
from typing import Any

from .names import words

COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
BINARY = words("add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift")
SPECIALS = frozenset(
    {
        *COMPARISONS,
        *(f"__{prefix}{name}__" for name in BINARY for prefix in ("", "r", "i")),
        *words("__hash__ __bool__ __repr__ __str__ __format__ __bytes__ __len__ __length_hint__ __contains__"),
        *words("__getitem__ __setitem__ __delitem__ __missing__ __iter__ __next__ __reversed__ __call__"),
        *words("__neg__ __pos__ __abs__ __invert__ __int__ __float__ __complex__ __index__ __round__"),
        *words("__trunc__ __floor__ __ceil__ __enter__ __exit__ __aenter__ __aexit__ __aiter__ __anext__ __await__"),
        *words("__init__ __copy__ __deepcopy__ __fspath__"),
    }
)
ASKED_DUNDERS = frozenset(
    {
        *words("__name__ __qualname__ __doc__ __module__ __wrapped__ __annotations__ __dataclass_fields__"),
        *words("__match_args__ __members__ __self__ __all__ __defaults__ __kwdefaults__ __version__ __author__"),
        *words("__slots__ __abstractmethods__ __dataclass_params__ __file__ __cause__ __total__ __required_keys__"),
    }
)
NUMBER = "_split_number"


def number_of(value: object) -> int | None:
    """The number of a stand-in, None of anything else. Never runs code of the value."""
    kind = type(value)
    try:
        if kind is MirrorMeta:
            return type.__getattribute__(value, "__dict__")[NUMBER]  # type: ignore[no-any-return]
        if type(kind) is MirrorMeta or isinstance(value, BaseException):
            return object.__getattribute__(value, NUMBER)  # type: ignore[no-any-return]
    except (AttributeError, KeyError):
        return None
    return None


def is_stand_in(value: object) -> bool:
    """Whether `value` lives on the other side."""
    return number_of(value) is not None


def may_ask(name: str) -> bool:
    """Whether an attribute of this name is looked up on the other side."""
    return not name.startswith("_split") and (not name.startswith("__") or name in ASKED_DUNDERS or name[-2:] != "__")


class MirrorMeta(type):
    """The class of mirrors: what is done to a class is done on the other side."""

    def __new__(meta, name: str, bases: "tuple[type, ...]", names: dict[str, Any], **options: Any) -> Any:
        """A class statement on this side with a mirror among its bases."""
        peer = next(base for base in bases if type(base) is MirrorMeta)._split_peer
        return peer.subclass(name, bases, names, options)

    def __init__(cls, *_: object, **__: object) -> None:
        """Nothing is left to do."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return cls._split_peer.request("call", cls, args, kwargs)

    def __getattr__(cls, name: str) -> Any:
        if name == "_split_peer":
            raise AttributeError(name)
        return look_up(cls._split_peer, cls, name)

    def __setattr__(cls, name: str, value: object) -> None:
        cls._split_peer.set_on_class(cls, name, value)

    def __delattr__(cls, name: str) -> None:
        cls._split_peer.request("del", cls, name)

    def __bool__(cls) -> bool:
        return True

    def __iter__(cls) -> Any:
        return cls._split_peer.request("do", "iter", cls)

    def __len__(cls) -> int:
        size: int = cls._split_peer.request("do", "len", cls)
        return size

    def __getitem__(cls, key: object) -> Any:
        return cls._split_peer.request("do", "getitem", cls, key)

    def __contains__(cls, value: object) -> Any:
        return cls._split_peer.request("do", "contains", cls, value)

    def __or__(cls, other: Any) -> Any:
        return type.__or__(cls, other)

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__qualname__}'>"

    def __dir__(cls) -> list[str]:
        return list(cls._split_peer.request("do", "dir", cls))


def look_up(peer: Any, stand_in: object, name: str) -> Any:
    """An attribute that this side does not have."""
    if name == "__signature__":
        return peer.request("do", "signature", stand_in)
    if not may_ask(name):
        raise AttributeError(name)
    return peer.request("get", stand_in, name)


class Foreign:
    """What every instance of a mirror does."""

    __slots__ = ()
    _split_peer: "Any"

    def __getattr__(self, name: str) -> Any:
        return look_up(type(self)._split_peer, self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in ("__cause__", "__context__", "__traceback__", "__suppress_context__", "__notes__"):
            object.__setattr__(self, name, value)
            return
        type(self)._split_peer.request("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        type(self)._split_peer.request("del", self, name)

    def __dir__(self) -> list[str]:
        return list(type(self)._split_peer.request("do", "dir", self))

    def __copy__(self) -> Any:
        return type(self)._split_peer.request("do", "copy", self)

    def __deepcopy__(self, _: object) -> Any:
        return type(self)._split_peer.request("do", "deepcopy", self)

    def __reduce_ex__(self, _: object) -> Any:
        type(self)._split_peer.notice("pickle of an object of the module")
        raise TypeError("cannot pickle an object of another process")


def _vars(self: Any) -> Any:
    return type(self)._split_peer.request("do", "vars", self)


class Method:
    """A method in a mirror: one request, instead of one for the method and one for the call."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.owner: Any = None

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self.owner._split_peer.request("get", self.owner, self.name)
        return BoundMethod(self.owner, self.name, instance)


class BoundMethod:
    """A method of one object of the other side."""

    def __init__(self, owner: Any, name: str, instance: Any) -> None:
        self._owner, self.__name__, self.__self__ = owner, name, instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._owner._split_peer.request("method", self.__self__, self._owner, self.__name__, args, kwargs)

    def original(self) -> Any:
        """The method itself, as a stand-in."""
        return self._owner._split_peer.request("get", self.__self__, self.__name__)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original(), name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoundMethod):
            return NotImplemented
        return (self.__self__ is other.__self__) and self.__name__ == other.__name__

    def __hash__(self) -> int:
        return hash((id(self.__self__), self.__name__))

    def __repr__(self) -> str:
        return repr(self.original())


def _special(peer: Any, name: str) -> Any:
    def special(self: Any, *args: Any, **kwargs: Any) -> Any:
        if name in COMPARISONS:
            return peer.compare(self, owner[0], name, args[0])
        return peer.special(self, owner[0], name, args, kwargs)

    special.__name__ = special.__qualname__ = name
    owner: list[Any] = []
    special.owner = owner  # type: ignore[attr-defined]
    return special


def build_mirror(peer: Any, number: int, description: dict[str, Any], bases: "list[type]") -> type:
    """The mirror of a class that the other side described. Raises TypeError when no class can be made of it."""
    if not any(type(base) is MirrorMeta for base in bases):
        bases = [Foreign, *bases]
    names: dict[str, Any] = {name: _special(peer, name) for name in description["specials"] if name in SPECIALS}
    names |= {name: Method(name) for name in description["methods"] if may_ask(name) and name.isidentifier()}
    made = list(names.values())
    if description["unhashable"]:
        names["__hash__"] = None
    names |= {"_split_peer": peer, NUMBER: number, "__module__": description["module"], "__doc__": description["doc"]}
    names |= {"__qualname__": description["qualname"], "__dict__": property(_vars)}
    names |= _DISGUISES.get(description["runtime"], {})
    if any(issubclass(base, BaseException) for base in bases):
        del names["__dict__"]
    mirror = type.__new__(MirrorMeta, description["name"], tuple(bases), names)
    for attribute in made:
        if isinstance(attribute, Method):
            attribute.owner = mirror
        else:
            attribute.owner.append(mirror)
    return mirror


def _plain() -> None: ...


async def _coroutine() -> None: ...


def _generator() -> Any:
    yield


async def _async_generator() -> Any:
    yield


SHAPES = {
    "plain": _plain,
    "coroutine": _coroutine,
    "generator": _generator,
    "async_generator": _async_generator,
}


def shape_of(function: types.FunctionType) -> str:
    """Which kind of function it is, as `inspect` tells them apart."""
    tests = (("coroutine", inspect.iscoroutinefunction), ("generator", inspect.isgeneratorfunction))
    for shape, test in (*tests, ("async_generator", inspect.isasyncgenfunction)):
        if test(function):
            return shape
    return "plain"


def _code(self: Any) -> types.CodeType:
    return SHAPES[object.__getattribute__(self, "_split_shape")].__code__


_DISGUISES: dict[str, dict[str, Any]] = {
    "function": {
        "__doc__": property(lambda self: look_up(type(self)._split_peer, self, "__doc__")),
        "__module__": property(lambda self: look_up(type(self)._split_peer, self, "__module__")),
        "__class__": property(lambda _: types.FunctionType),
        "__code__": property(_code),
    },
}
"""What `inspect` looks at before it calls something a function."""
