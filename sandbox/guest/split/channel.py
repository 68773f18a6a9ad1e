"""The test process's end of the channel: what it lets in, what it decides itself, what it notes.

The module's process may be hostile. Whatever arrives is decoded into plain values and stand-ins; a message that no
honest process sends breaks the channel, and a channel that is broken stays so.
"""

import asyncio
import operator
import os
import socket
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from . import lineup, policy
from .handles import HELD, held
from .mirror import NUMBER, MirrorMeta, is_stand_in, number_of
from .noticing import Noticing
from .peer import Peer
from .wire import PLAIN, CannotSend, Malformed, encode_module

NOTES = 50
"""Kept of what could not be carried and of what was refused."""


class ModuleDied(BaseException):
    """The module's process is gone or speaks nonsense. Not an `Exception`, so that hardly a test can swallow it."""


class ModuleRaised(RuntimeError):
    """The module raised something that would end the session if it were let through: `KeyboardInterrupt` for one."""


class Channel(Peer):
    """The test process's end."""

    first_number = 1

    def __init__(self, control: socket.socket, name: str) -> None:
        super().__init__(control)
        self.name = name
        self.cannot_carry: list[str] = []
        """What the suite did that does not reach the module: a disagreement may be due to it. The module has no say."""
        self.on_notice: Callable[[str], None] = lambda _: None
        """Is told of each of them at once: the run may be stopped before its end."""
        self.refused: list[str] = []
        """What was decided against the module; no excuse for a disagreement, but an explanation."""
        self.broken = ""
        """Why the channel ended, when it did. A run in which it did is never green."""
        self.hashes: dict[int, int] = {}
        self.pid = os.getpid()
        self.pending_seed: tuple[Any, ...] | None = None
        self.encoders[types.ModuleType] = self._encode_module
        for kind in policy.CLOSED[1:]:
            if kind is not types.TracebackType:
                self.encoders[kind] = self._encode_closed
        self.noticing = Noticing(self)
        self.lanes.accept_always()

    # -- the ends of trust

    def lost(self, reason: str) -> BaseException:
        """Break the channel."""
        self.broken = self.broken or reason
        return ModuleDied(self.broken)

    def request(self, operation: str, *args: Any) -> Any:
        """Ask, unless the channel is broken."""
        if self.broken:
            raise ModuleDied(self.broken)
        if os.getpid() != self.pid:
            self.notice("use of the module in a forked process")
            raise ModuleDied("the module cannot be used in a forked process")
        if self.pending_seed is not None:
            seed, self.pending_seed = self.pending_seed, None
            super().request("random.seed", *seed)
        try:
            return super().request(operation, *args)
        except CannotSend as error:
            self.notice(str(error))
            raise

    def check(self, operation: str, args: list[Any]) -> None:
        """What is done is done to an object that the tests handed over."""
        if operation in ("done", "cancel"):
            return
        target = args[1] if operation == "do" and len(args) > 1 else args[0]
        if operation in ("set", "del", "get", "call", "method", "do", "start") and not _is_ours(target):
            raise Malformed("something asked of no object of the tests")

    def perform(self, operation: str, args: list[Any]) -> Any:
        """Within `policy`."""
        try:
            self._check_policy(operation, args)
        except policy.Refused as refused:
            self.refuse(f"the module asked for {refused}")
            raise
        return super().perform(operation, args)

    @staticmethod
    def _check_policy(operation: str, args: list[Any]) -> None:
        if operation == "get":
            policy.check_read(*args)
        elif operation in ("set", "del"):
            policy.check_write(*args[:2])
        elif operation == "method":
            policy.check_method(args[2])
        elif operation == "do":
            policy.check_deed(*args[:2])

    def arriving(self, error: Any) -> BaseException:
        """An exception of the module; what would steer pytest is turned into one that does not."""
        if not isinstance(error, BaseException):
            return self.lost("an exception that is none")
        mine = id(error) in self.export_numbers
        return error if mine or isinstance(error, (Exception, *PASSED)) else _tamed(error)

    def keeps(self, error: BaseException) -> bool:
        """An exception of the tests comes back as itself."""
        return not isinstance(error, (StopIteration, StopAsyncIteration))

    def _encode_closed(self, value: object) -> list[Any]:
        raise policy.Refused(f"a {type(value).__name__} cannot be handed to the module")

    def encode_other(self, value: object) -> list[Any]:
        """The stub is a module too."""
        return self._encode_module(value) if isinstance(value, types.ModuleType) else super().encode_other(value)

    def _encode_module(self, value: types.ModuleType) -> list[Any]:
        number = vars(value).get(NUMBER)
        known = encode_module(value)
        if known is not None:
            return known
        if number is None:
            raise policy.Refused("a module cannot be handed to the module")
        return ["w", number]

    def take_along(self, along: list[Any]) -> None:
        """Print and warn here what the module printed and warned of."""
        if not along:
            return
        out, err, warned = along
        for stream, text in ((sys.stdout, out), (sys.stderr, err)):
            if type(text) is not str:
                raise Malformed("printed text that is none")
            if text:
                stream.write(text)
        for category, text in warned:
            warnings.warn(str(text), _category(self.decode(category)), stacklevel=2)

    # -- what is decided on this side

    def compare(self, stand_in: Any, owner: type, name: str, other: object) -> Any:
        """Two objects of the module: its own affair. One of them and a plain value: ours. Else the test's object's."""
        if is_stand_in(other):
            return self.request("method", stand_in, owner, name, (other,), {})
        base = next((base for base in HELD if isinstance(stand_in, base)), None)
        if type(other) not in PLAIN:
            return NotImplemented if base is None else getattr(operator, name)(held(base, stand_in), other)
        if base is not None:
            answer = getattr(base, name)(stand_in, other)
            if answer is not NotImplemented and answer is (name == "__eq__"):
                return answer
        if name in ("__eq__", "__ne__"):
            return self._same(stand_in, owner, other) is (name == "__eq__")
        if base is not None:
            return answer
        return self._ordered(stand_in, name, other)

    def _same(self, stand_in: Any, owner: type, other: Any) -> bool:
        part = self.request("do", "plain", stand_in)
        if part is not None and type(part) is type(other) and part == other:
            return True

        def ask(value: object) -> object:
            return self.request("method", stand_in, owner, "__eq__", (value,), {})

        try:
            return lineup.equals(ask, other, part)
        except lineup.Undecided:
            self.refuse(f"`==` of a {owner.__name__} with a {type(other).__name__}: it equals other values as well")
            return False

    def _ordered(self, stand_in: Any, name: str, other: object) -> Any:
        part = self.request("do", "plain", stand_in)
        if type(part) is type(other):
            return getattr(part, name)(other)
        kinds = f"{type(stand_in).__name__} and a plain {type(other).__name__}"
        self.refuse(f"`{name}` between a {kinds}")
        raise TypeError(f"{name} between a {kinds} is not decided by the module")

    def special(self, stand_in: Any, owner: type, name: str, args: Any, kwargs: Any) -> Any:
        """A hash is asked for once; a failed assertion is not swallowed by a context manager of the module."""
        if name == "__hash__":
            number = number_of(stand_in) or 0
            if number not in self.hashes:
                self.hashes[number] = super().special(stand_in, owner, name, args, kwargs)
            return self.hashes[number]
        answer = super().special(stand_in, owner, name, args, kwargs)
        if isinstance(stand_in, NUMBERS) and args and type(args[0]) in NUMBERS:
            return self._sum(stand_in, name, args, answer)
        if name == "__exit__" and answer and args[0] is not None and not _may_be_swallowed(args[0]):
            self.refuse(f"a {args[0].__name__} of the tests swallowed by a context manager of the module")
            return False
        return answer

    def _sum(self, stand_in: Any, name: str, args: Any, answer: Any) -> Any:
        """A number that is more than that counts as one, or `abs(result - 42) < 0.1` would be the module's to say."""
        base = next(base for base in NUMBERS if isinstance(stand_in, base))
        ours = getattr(base, name, lambda *_: answer)(held(base, stand_in), *args)
        if ours is NotImplemented or answer == ours:
            return answer
        self.refuse(f"`{name}` of a {type(stand_in).__name__} with a plain number")
        return ours

    def set_on_class(self, mirror: type, name: str, value: object) -> None:
        """Plain values reach the class; functions become callbacks, which is not quite the same."""
        if callable(value):
            self.notice(f"patched class attribute `{mirror.__name__}.{name}`")
        super().set_on_class(mirror, name, value)

    def subclass(self, name: str, bases: tuple[type, ...], names: dict[str, Any], options: dict[str, Any]) -> type:
        """A class of the tests that derives from one of the module: made in both processes."""
        rows = tuple((key, *_row(value)) for key, value in names.items() if key not in ("__classcell__", "__dict__"))
        there = self.request("subclass", name, bases, rows, tuple(options.items()))
        number = number_of(there) or 0
        own = {key: value for key, value in names.items() if key not in ("__slots__",)}
        here: type = type.__new__(MirrorMeta, name, bases, {**own, "_split_peer": self, NUMBER: number})
        self.classes[number] = here
        return here

    # -- notes

    def notice(self, what: str) -> None:
        """The suite did something that does not reach the module."""
        if what not in self.cannot_carry and len(self.cannot_carry) < NOTES:
            self.cannot_carry.append(what)
            self.on_notice(what)

    def refuse(self, what: str) -> None:
        """Something was decided against the module."""
        if what not in self.refused and len(self.refused) < NOTES:
            self.refused.append(what[:300])


NUMBERS = (int, float, complex)
PASSED = (SystemExit, asyncio.CancelledError)


def _tamed(error: BaseException) -> BaseException:
    return ModuleRaised(f"the module raised {type(error).__name__}")


def _is_ours(target: object) -> bool:
    return type(target) is list and len(target) == 2 and target[0] == "w"


def _category(kind: object) -> type[Warning]:
    return kind if isinstance(kind, type) and issubclass(kind, Warning) else UserWarning


def _may_be_swallowed(kind: type) -> bool:
    return issubclass(kind, Exception) and not issubclass(kind, AssertionError)


def _row(value: Any) -> tuple[str, Any]:
    if isinstance(value, types.FunctionType):
        return "function", value
    if isinstance(value, staticmethod):
        return "static", value.__func__
    if isinstance(value, classmethod):
        return "class", value.__func__
    if isinstance(value, property):
        return "property", (value.fget, value.fset, value.fdel)
    return "value", value
