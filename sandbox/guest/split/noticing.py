"""Notices what a suite does to its own process that the module, living in another one, will not see."""

import random
import types
import unittest.mock
from typing import Any

import pytest


class Noticing:
    """Wraps the ways in which suites patch things, for as long as the process lives."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel
        self._wrap(pytest.MonkeyPatch, "setattr", self._patched)
        self._wrap(pytest.MonkeyPatch, "setenv", lambda _, name, *__: f"environment variable `{name}`")
        self._wrap(pytest.MonkeyPatch, "chdir", lambda *_: "change of the working directory")
        self._wrap(unittest.mock._patch, "__enter__", self._mocked)
        self._follow_seed()

    def _wrap(self, owner: Any, name: str, tell: Any) -> None:
        original = getattr(owner, name)

        def noticed(*args: Any, **kwargs: Any) -> Any:
            told = tell(*args)
            if told:
                self.channel.notice(told)
            return original(*args, **kwargs)

        setattr(owner, name, noticed)

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

    def _follow_seed(self) -> None:
        seed = random.seed

        def followed(*args: Any) -> None:
            self.channel.pending_seed = args
            seed(*args)

        random.seed = followed


def _of_pytest(target: Any) -> bool:
    place = str(getattr(target, "__module__", None) or getattr(target, "__name__", ""))
    return place.partition(".")[0] in ("_pytest", "pytest")
