"""The process that the module lives in: executes it when asked and does what the test process asks of it.

Nothing that this process says is believed by the other one. What the module prints and warns of goes along with the
next message, so that it appears there in order.
"""

import asyncio
import io
import os
import socket
import sys
import threading
import time
import types
import warnings
from typing import Any

from .peer import Peer
from .wire import encode_class

PRINTED_CHARACTERS = 1 << 20
"""Kept of what is printed between two messages."""


class Printed(io.TextIOWrapper):
    """Standard output or error of the module."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="utf-8", errors="surrogateescape", newline="\n", write_through=True)

    def taken(self) -> str:
        """What was printed since the last time."""
        text = self.bytes.getvalue().decode("utf-8", "replace")
        self.bytes.seek(0)
        self.bytes.truncate()
        return text[:PRINTED_CHARACTERS]


class ModuleSide(Peer):
    """The module's side of the channel."""

    first_number = 2

    def __init__(self, control: socket.socket, folder: str) -> None:
        super().__init__(control)
        self.folder = folder
        self.out, self.err = Printed(), Printed()
        self.warned: list[list[Any]] = []
        sys.stdout, sys.stderr = self.out, self.err
        self.operations |= {"load": self._load, "subclass": self._subclass, "random.seed": self._seed}
        self._warn_there()

    def _warn_there(self) -> None:
        def show(message: Any, category: type, *_: object, **__: object) -> None:
            self.warned.append([category, str(message)])

        warnings.showwarning = show
        warnings.simplefilter("always")

    def lost(self, reason: str) -> BaseException:
        """Without the test process there is nothing to do."""
        os._exit(0 if "died" in reason else 1)

    def keeps(self, error: BaseException) -> bool:
        """Python's own exceptions are as good as new ones."""
        return encode_class(type(error)) is None

    def leaving_error(self, error: BaseException) -> BaseException:
        """Without the frames that it came through, which would keep everything in them."""
        return error.with_traceback(None)

    def give_along(self) -> list[Any]:
        """What was printed and warned of."""
        printed = [self.out.taken(), self.err.taken()]
        if not self.warned and printed == ["", ""]:
            return []
        warned, self.warned = self.warned, []
        return [*printed, [[self.encode(category), text] for category, text in warned]]

    def running_loop(self) -> asyncio.AbstractEventLoop:
        """One loop for everything that the tests await, in a thread of its own."""
        if self.loop is None:
            loop = self.loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, daemon=True).start()
        return self.loop

    async def drive(self, awaitable: Any) -> Any:
        """As the other side does; the loop of this side is always the same unless the module runs its own."""
        kept = self.loop
        pending = super().drive(awaitable)
        try:
            return await pending
        finally:
            self.loop = kept

    def _load(self, name: str) -> tuple[Any, dict[str, Any], list[str]]:
        path = os.path.join(self.folder, f"{name}.py")
        module = types.ModuleType(name)
        module.__file__ = path
        sys.modules[name] = module
        with open(path, encoding="utf-8") as file:
            source = file.read()
        exec(compile(source, path, "exec"), module.__dict__)
        names = {name: value for name, value in vars(module).items() if name not in HIDDEN}
        return module, names, list(names)

    def _seed(self, *args: Any) -> None:
        import random

        random.seed(*args)

    def _subclass(self, name: str, bases: Any, rows: Any, options: Any) -> type:
        names = {key: _as_attribute(kind, value) for key, kind, value in rows}
        return types.new_class(name, bases, dict(options), lambda namespace: namespace.update(names))


HIDDEN = ("__builtins__", "__loader__", "__spec__", "__file__", "__cached__", "__package__")


def _as_attribute(kind: str, value: Any) -> Any:
    """A function of the tests as a method: a real function, or it would not bind."""
    if kind == "property":
        return property(*(part and _function(part) for part in value))
    wrap = {"function": _function, "static": lambda f: staticmethod(_function(f))}
    wrap["class"] = lambda f: classmethod(_function(f))
    return wrap[kind](value) if kind in wrap else value  # type: ignore[no-untyped-call]


def _function(there: Any) -> Any:
    def method(*args: Any, **kwargs: Any) -> Any:
        return there(*args, **kwargs)

    method.__name__ = method.__qualname__ = there.__name__
    return method


def serve(control: socket.socket, folder: str) -> None:
    """Serve the module that is asked for by its name, a file in `folder`, until the test process ends.

    The first connection is served in the main thread.
    """
    side = ModuleSide(control, folder)
    first = side.lanes.accept()
    side.lanes.accept_always()
    if first is not None:
        side.lanes.serve_in_this_thread(first)
    while True:
        time.sleep(3600)  # for the tests' other threads; without the test process this one ends in `lost`
