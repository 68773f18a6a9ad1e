"""One side of the channel: asks the other side and answers it. The two sides derive from it.

A message is a list: what it is (`q` a request, `r` a result, `x` an exception), its content, then what goes along with
every message: changed containers, released objects, and what was printed.
"""

import asyncio
import copy
import inspect
import operator
import socket
import threading
from collections.abc import Callable
from typing import Any

from .handles import HELD, Handles, held
from .lanes import Lane, Lanes
from .shared import TAGS
from .wire import CannotSend, Malformed, from_bytes, to_bytes

DIED = "the module's process died"


class Peer(Handles):
    """What both sides do."""

    def __init__(self, control: socket.socket) -> None:
        super().__init__()
        self.lock = threading.RLock()
        self.lanes = Lanes(control, self.serve_lane, lambda: self.lost(DIED))
        self.loop: asyncio.AbstractEventLoop | None = None
        self.waiting: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Future[Any]]] = {}
        self.tasks: dict[int, asyncio.Task[Any]] = {}
        self.operations: dict[str, Callable[..., Any]] = {
            "call": lambda target, args, kwargs: target(*args, **dict(kwargs)),
            "method": self._method,
            "get": getattr,
            "set": setattr,
            "del": delattr,
            "do": self._do,
            "start": self._start,
            "done": self._done,
            "cancel": self._cancel,
        }

    # -- asking

    def request(self, operation: str, *args: Any) -> Any:
        """Have the other side do something. Raises what it raises there."""
        if operation in ("call", "method"):
            args = (*args[:-1], tuple(args[-1].items()))
        lane = self._send_request(operation, args)
        while True:
            kind, content = self.receive(lane)
            if kind == "q":
                self.answer(lane, content)
            elif kind == "r":
                return content
            else:
                raise self.arriving(content)

    def _send_request(self, operation: str, args: tuple[Any, ...]) -> Lane:
        frame = self.compose("q", operation, args)
        try:
            lane = self.lanes.mine()
            lane.send(frame)
        except OSError as error:
            raise self.lost(f"{type(error).__name__} while sending") from None
        return lane

    def receive(self, lane: Lane) -> tuple[str, Any]:
        """The next message of a connection, taken over. Raises what `lost` gives."""
        try:
            message = from_bytes(lane.receive())
            kind, content, changes, released, along = message
            with self.lock:
                self.take_along(along)
                self.release(released)  # first: a generator that is let go of may still do something
                value = self.decode(content) if kind != "q" else self.decode_request(content)
                self.apply(changes)
            if kind not in ("q", "r", "x"):
                raise Malformed("an unknown kind of message")
        except (EOFError, OSError):
            raise self.lost(DIED) from None
        except Exception as error:  # noqa: BLE001  # whatever a constructor says of untrusted data
            raise self.lost(f"a malformed message: {type(error).__name__}: {str(error)[:200]}") from None
        return kind, value

    def decode_request(self, content: Any) -> tuple[str, list[Any]]:
        """The operation and its arguments. Raises Malformed."""
        operation, *args = content
        if operation not in self.operations:
            raise Malformed("an unknown operation")
        self.check(operation, args)
        return operation, self.decode_all(args)

    def compose(self, kind: str, content: Any, args: tuple[Any, ...] | None = None) -> bytes:
        """The frame of a message. Raises CannotSend, and then nothing has been numbered."""
        with self.lock:
            first, described = self.next_number, set(self.described)
            try:
                body = self.encode(content) if args is None else [content, *self.encode_all(args)]
                changes = self.changes()
                released, self.released = self.released, []
                return to_bytes([kind, body, changes, released, self.give_along()])
            except (CannotSend, RecursionError) as error:
                self._take_back(first, described)
                if isinstance(error, CannotSend):
                    raise
                raise CannotSend("a value nested too deeply for the channel") from None

    def _take_back(self, first: int, described: set[int]) -> None:
        self.described = described
        for number in [number for number in self.entries if number >= first and number % 2 == first % 2]:
            del self.numbers[id(self.entries.pop(number).value)]
        for entry in self.entries.values():
            entry.seen = [object()]  # what they hold may not have arrived: told again

    # -- answering

    def serve_lane(self, lane: Lane) -> None:
        """Answer requests until the connection ends."""
        while not lane.ended():
            kind, content = self.receive(lane)
            if kind != "q":
                raise self.lost("a reply to nothing")
            self.answer(lane, content)
            del content  # or the last object asked would outlive its release

    def answer(self, lane: Lane, content: tuple[str, list[Any]]) -> None:
        """Do what was asked and send what came of it."""
        operation, args = content
        try:
            frame = self.compose("r", self.perform(operation, args))
        except CannotSend as error:
            frame = self.compose("x", OverflowError(str(error)))
        except BaseException as error:  # noqa: BLE001  # everything belongs to whoever asked
            frame = self._compose_error(error)
        try:
            lane.send(frame)
        except OSError:
            raise self.lost(DIED) from None

    def _compose_error(self, error: BaseException) -> bytes:
        try:
            return self.compose("x", self.leaving_error(error))
        except CannotSend as reason:
            return self.compose("x", OverflowError(f"{type(error).__name__}, {reason}"))

    def perform(self, operation: str, args: list[Any]) -> Any:
        """One operation."""
        return self.operations[operation](*args)

    @staticmethod
    def _method(target: Any, owner: type, name: str, args: Any, kwargs: Any) -> Any:
        own = getattr(target, "__dict__", {}) if not name.startswith("__") else {}
        if name in own:
            return own[name](*args, **dict(kwargs))
        for kind in type.__getattribute__(owner, "__mro__"):
            names = type.__getattribute__(kind, "__dict__")
            if name in names:
                return names[name].__get__(target, type(target))(*args, **dict(kwargs))
        return getattr(target, name)(*args, **dict(kwargs))

    @staticmethod
    def _do(name: str, target: Any, *args: Any) -> Any:
        return DEEDS[name](target, *args)

    # -- awaiting

    async def drive(self, awaitable: Any) -> Any:
        """Have the other side's loop run `awaitable`; this side's loop goes on meanwhile."""
        loop = asyncio.get_running_loop()
        self.loop = loop
        future: asyncio.Future[Any] = loop.create_future()
        ticket = id(future)
        self.waiting[ticket] = (loop, future)
        self.request("start", awaitable, ticket)
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            self.request("cancel", ticket)
            await asyncio.wait([future])
        return future.result()

    def _start(self, awaitable: Any, ticket: int) -> None:
        asyncio.run_coroutine_threadsafe(self._run(awaitable, ticket), self.running_loop())

    def running_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that runs what the other side awaits."""
        if self.loop is None or self.loop.is_closed():
            raise RuntimeError("no event loop runs on this side")
        return self.loop

    async def _run(self, awaitable: Any, ticket: int) -> None:
        task = asyncio.current_task()
        if task is not None:
            self.tasks[ticket] = task
        try:
            value = await awaitable
        except BaseException as error:  # noqa: BLE001  # it belongs to whoever awaits
            self.request("done", ticket, False, self.leaving_error(error))
        else:
            self.request("done", ticket, True, value)
        finally:
            self.tasks.pop(ticket, None)

    def _done(self, ticket: int, good: bool, value: Any) -> None:
        loop, future = self.waiting.pop(ticket)
        loop.call_soon_threadsafe(self._settle, future, good, value)

    def _settle(self, future: asyncio.Future[Any], good: bool, value: Any) -> None:
        if future.done():
            return
        if good:
            future.set_result(value)
        elif isinstance(value, asyncio.CancelledError):
            future.cancel()
        else:
            future.set_exception(self.arriving(value))

    def _cancel(self, ticket: int) -> None:
        task = self.tasks.get(ticket)
        if task is not None:
            self.running_loop().call_soon_threadsafe(task.cancel)

    # -- what the two sides do in ways of their own

    def lost(self, reason: str) -> BaseException:
        """The exception to raise when the other side cannot be asked any more."""
        raise NotImplementedError

    def arriving(self, error: Any) -> BaseException:
        """What to raise here for an exception of the other side."""
        return error  # type: ignore[no-any-return]

    def leaving_error(self, error: BaseException) -> BaseException:
        """What to send of an exception of ours."""
        return error

    def check(self, operation: str, args: list[Any]) -> None:
        """Refuse what the other side may not do. Raises Malformed, or what the other side is to get."""

    def give_along(self) -> list[Any]:
        """What else goes with a message."""
        return []

    def take_along(self, along: list[Any]) -> None:
        """What else came with a message."""

    def notice(self, what: str) -> None:
        """Something that the channel cannot carry."""

    def compare(self, stand_in: Any, owner: type, name: str, other: object) -> Any:
        """A comparison with a stand-in on its left."""
        return self.request("method", stand_in, owner, name, (other,), {})

    def special(self, stand_in: Any, owner: type, name: str, args: Any, kwargs: Any) -> Any:
        """Any other special method of a stand-in."""
        if name == "__await__":
            return self.drive(stand_in).__await__()
        return self.request("method", stand_in, owner, name, args, kwargs)

    def set_on_class(self, mirror: type, name: str, value: object) -> None:
        """An assignment to an attribute of a class of the other side."""
        self.request("set", mirror, name, value)


def plain_part(value: Any) -> object:
    """What an object of a class derived from a plain type holds, as that type; None for others."""
    for plain in HELD:
        if isinstance(value, plain):
            return held(plain, value)
    kind: Any = next((kind for kind in TAGS if isinstance(value, kind)), None)
    if kind is None:
        return None
    return dict(dict.items(value)) if issubclass(kind, dict) else kind(kind.__iter__(value))


DEEDS: dict[str, Callable[..., Any]] = {
    "iter": iter,
    "len": len,
    "getitem": operator.getitem,
    "contains": lambda container, value: value in container,
    "dir": dir,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "vars": lambda value: dict(vars(value)),
    "signature": inspect.signature,
    "plain": plain_part,
}
