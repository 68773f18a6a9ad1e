"""Notices what a suite does to its own process that the module, living in another one, will not see."""

import inspect
import os
import random
import sys
import types
import unittest.mock
from typing import Any

import pytest

from .handles import held
from .mirror import NUMBER, is_stand_in


class Noticing:
    """Wraps the ways in which suites patch things, for as long as the process lives."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel
        self._wrap(pytest.MonkeyPatch, "setattr", self._patched)
        self._wrap(pytest.MonkeyPatch, "setenv", lambda _, name, *__: f"environment variable `{name}`")
        self._wrap(pytest.MonkeyPatch, "chdir", lambda *_: "change of the working directory")
        self._wrap(unittest.mock._patch, "__enter__", self._mocked)
        self._wrap(inspect, "getfile", self._source)
        sys.addaudithook(self._audit)
        self._follow_seed()
        self._weigh_plain_values()

    def _wrap(self, owner: Any, name: str, tell: Any) -> None:
        original = getattr(owner, name)

        def noticed(*args: Any, **kwargs: Any) -> Any:
            told = tell(*args)
            if told:
                self.channel.notice(told)
            return original(*args, **kwargs)

        setattr(owner, name, noticed)

    def _source(self, thing: Any) -> str:
        ours = is_stand_in(thing) or (isinstance(thing, types.ModuleType) and NUMBER in vars(thing))
        return "source text of the module" if ours and self._within_suite() else ""

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        """The module's file lies where its process alone looks for it; a suite may look for it too."""
        if event != "open" or not isinstance(args[0], (str, bytes, os.PathLike)):
            return
        place = os.path.abspath(f"{self.channel.name}.py")
        if os.path.abspath(os.fsdecode(args[0])) == place and self._within_suite():
            self.channel.notice("read of the module's file")

    def _within_suite(self) -> bool:
        """Whether the suite is at work. What looks at an exception of the module afterwards does not excuse it."""
        suite = os.path.abspath(f"test_{self.channel.name}.py")
        frame: types.FrameType | None = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == suite:
                return True
            frame = frame.f_back
        return False

    def _patched(self, _: Any, target: Any, name: Any = None, *__: Any) -> str:
        if isinstance(target, str):
            return f"patched `{target}`"
        return self._outside(target, name)

    def _mocked(self, patcher: Any) -> str:
        return self._outside(patcher.getter(), patcher.attribute)

    def _outside(self, target: Any, name: Any) -> str:
        if isinstance(target, (types.ModuleType, type)) and not _of_pytest(target):
            return f"patched `{getattr(target, '__name__', '?')}.{name}`"
        return ""

    def _weigh_plain_values(self) -> None:
        scalar: Any = type(pytest.approx(1.0))
        original = scalar.__eq__

        def weighed(self: Any, actual: Any) -> Any:
            """`approx` calculates: with the number that an object of the module holds, not with its operators."""
            base = next((base for base in (int, float, complex) if isinstance(actual, base)), None)
            return original(self, actual if base is None or type(actual) is bool else held(base, actual))

        scalar.__eq__ = weighed

    def _follow_seed(self) -> None:
        seed = random.seed

        def followed(*args: Any) -> None:
            self.channel.pending_seed = args
            seed(*args)

        random.seed = followed  # type: ignore[assignment]


def _of_pytest(target: Any) -> bool:
    place = str(getattr(target, "__module__", None) or getattr(target, "__name__", ""))
    return place.partition(".")[0] in ("_pytest", "pytest")
