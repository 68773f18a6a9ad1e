"""Modules that stand in for the one that is not written yet: none is right, so every test must fail against one."""

from dataclasses import dataclass

from src.gates.source import parse
from src.gates.uses import FAULTS, Uses, uses_of

ANSWERS = {"None": "None", "0": "0", '""': "''", "[]": "[]", "True": "True"}
"""What the fakes that answer give back, as a person writes it and as Python reads it."""

OWN = "_fake"
"""What the machinery's own names begin with."""

STUB = "stub"
"""Name of the fake that answers nothing."""

SOURCE = '''\
"""Stands in for a module that is not written yet. Its own names begin with an underscore, as no import of all takes."""

import abc as _fake_abc
import builtins as _fake_b

_fake_methods = $methods
_fake_awaited = $awaited
_fake_entered = $entered
_fake_operators = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_fake_operators += ["r" + name for name in _fake_operators] + ["i" + name for name in _fake_operators]
_fake_operators += "neg pos abs invert lt le gt ge getitem setitem delitem contains call".split()


def _fake_value():
    return $value


def _fake_outcome(name):
    $outcome


def _fake_function(name, depth=0):
    """`depth`: calls that only hand out the next function, as those of a decorator do."""

    def function(*args, **kwargs):
        if depth:
            return _fake_function(name, depth - 1)
        outcome = _fake_outcome(name)
        return _fake_instance(_FakeObject, name) if name in _fake_entered else outcome

    async def coroutine(*args, **kwargs):
        return _fake_outcome(name)

    made = coroutine if name in _fake_awaited else function
    made.__name__ = made.__qualname__ = name
    return made


def _fake_member(name):
    if name[:2] == "__":
        raise _fake_b.AttributeError(name)
    return _fake_function(name) if name in _fake_methods else _fake_value()


def _fake_instance(made, name):
    return _fake_b.object.__new__(made)


class _FakeKind(_fake_abc.ABCMeta):
    def __getattr__(cls, name):
        return _fake_member(name)

    def __getitem__(cls, key):
        return _fake_value() if _fake_b.isinstance(key, _fake_b.str) else cls

    def __iter__(cls):
        return _fake_b.iter((_fake_value(),))

    def __len__(cls):
        return 1


class _FakeObject(metaclass=_FakeKind):
    def __new__(cls, *args, **kwargs):
        return _fake_instance(cls, "")

    def __init__(self, *args, **kwargs):
        _fake_made(_fake_b.type(self).__name__)

    def __getattr__(self, name):
        return _fake_member(name)

    def __bool__(self):
        return _fake_b.bool(_fake_value())

    def __len__(self):
        return 1 if _fake_value() is True else 0

    def __index__(self):
        return _fake_b.len(self)

    def __int__(self):
        return _fake_b.len(self)

    def __float__(self):
        return _fake_b.float(_fake_b.len(self))

    def __str__(self):
        value = _fake_value()
        return value if _fake_b.isinstance(value, _fake_b.str) else _fake_b.object.__repr__(self)

    def __iter__(self):
        return _fake_b.iter((_fake_value(),))

    def __next__(self):
        raise _fake_b.StopIteration

    def __aiter__(self):
        return self

    async def __anext__(self):
        raise _fake_b.StopAsyncIteration

    def __await__(self):
        return _fake_value()
        yield

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *args):
        return None


for _fake_name in _fake_operators:
    _fake_name = "__" + _fake_name + "__"
    _fake_b.setattr(_FakeObject, _fake_name, lambda self, *args, _fake_n=_fake_name: _fake_outcome(_fake_n))


class _FakeUnknown:
    """What the stub has for a constant: anything may be done with it, but not called."""

    def __getattr__(self, name):
        if name[:2] == "__":
            raise _fake_b.AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return _fake_outcome("a constant")

    def __iter__(self):
        return _fake_b.iter((self,))

    def __len__(self):
        return 1

    def __index__(self):
        return 1


for _fake_name in _fake_operators[:-1]:
    _fake_b.setattr(_FakeUnknown, "__" + _fake_name + "__", lambda self, *args: self)


class _FakeFault:
    def __init__(self, *args, **kwargs):
        super().__init__(*args)

    def __getattr__(self, name):
        return _fake_member(name)


def _fake_class(name):
    return _FakeKind(name, (_FakeObject,), {"__module__": __name__})


def _fake_exception(name):
    base = _fake_b.Warning if name.endswith("Warning") else _fake_b.Exception
    return _fake_b.type(name, (_FakeFault, base), {"__module__": __name__})


def _fake_object(name):
    return _fake_instance(_FakeObject, name)


def _fake_constant(name):
    return _fake_value()


def _fake_made(name):
    $made


def __getattr__(name):
    """For names that the suite computes."""
    if name[:2] == "__" or name in ("pytestmark", "pytest_plugins"):
        raise _fake_b.AttributeError(name)
    if name.endswith($faults):
        return _fake_exception(name)
    if name.isupper():
        return _fake_constant(name)
    return _fake_class(name) if name[:1].isupper() else _fake_function(name)


'''
"""Machinery of every fake. The words with `$` are filled in; builtins are reached through a name that no suite takes,
because a module may well define a `map` or a `TimeoutError` of its own."""


@dataclass(frozen=True)
class Fake:
    """A module that stands in for the real one."""

    name: str
    """`stub`, or the value that everything answers, for example `[]`."""
    code: str
    """Its source."""


def fakes_for(tests: str, module_name: str) -> list[Fake]:
    """The stub, and one fake for each of `ANSWERS`. Valid Python for every suite; empty for one that does not parse.

    The stub raises NotImplementedError from every callable. The others accept everything and answer one value.
    Classes can be built, subclassed, entered, iterated and awaited; exceptions are real ones.
    """
    tree = parse(tests)
    if isinstance(tree, str):
        return []
    uses = uses_of(tree, module_name)
    refusal = 'raise _fake_b.NotImplementedError(f"`{name}` was called, and is not written yet")'
    stub = Fake(STUB, _source(uses, value="_FakeUnknown()", outcome=refusal, made=refusal))
    answering = [
        Fake(name, _source(uses, value=value, outcome="return _fake_value()", made="return None"))
        for name, value in ANSWERS.items()
    ]
    return [stub, *answering]


def _source(uses: Uses, *, value: str, outcome: str, made: str) -> str:
    filled = {
        "methods": _names(uses.methods),
        "awaited": _names(uses.awaited),
        "entered": _names(uses.entered),
        "faults": repr(FAULTS),
        "value": value,
        "outcome": outcome,
        "made": made,
    }
    source = SOURCE
    for word, text in filled.items():
        source = source.replace(f"${word}", text)
    taken = (name for name in uses.kinds if not name.lower().startswith(OWN))
    return source + "".join(f"{name} = {_made(name, uses)}\n" for name in taken)


def _names(names: frozenset[str]) -> str:
    return repr(sorted(names))


def _made(name: str, uses: Uses) -> str:
    kind = uses.kinds[name]
    depth = uses.decorators.get(name, 0)
    return f"_fake_{kind}({name!r}, {depth})" if kind == "function" and depth else f"_fake_{kind}({name!r})"
