"""Our own tests as pytest's items: compiled before the job is there, named when it comes. Part of the worker."""

import os
import sys
import types
from pathlib import Path

import pytest
from _pytest._code import ExceptionInfo, Traceback
from _pytest.assertion import rewrite

FILE = Path(os.path.dirname(os.path.abspath(__file__))) / "own_tests.py"


class OwnModule(pytest.Module):
    """The module of our own tests, which lies nowhere in the job's folder."""

    tests: types.ModuleType

    def _getobj(self) -> types.ModuleType:
        return self.tests


class OwnTest(pytest.Function):
    """A test that shows no traceback. What pytest leaves out of one costs it a look at the disk for each call."""

    def _traceback_filter(self, excinfo: ExceptionInfo[BaseException]) -> Traceback:
        return excinfo.traceback


class Canary:
    """Both tests, made before anything of the job is there."""

    def __init__(self, config: pytest.Config) -> None:
        """With the assertions rewritten as those of a suite are."""
        self.tests = types.ModuleType("selfheal.own_tests")
        _, code = rewrite._rewrite_test(FILE, config)
        exec(code, vars(self.tests))
        sys.modules[self.tests.__name__] = self.tests
        self.items: list[OwnTest] = []

    def name(self, session: pytest.Session, told: dict[str, str]) -> None:
        """Give them the names, the words and the number of this run."""
        vars(self.tests).update(number=int(told["number"]), words=told["words"])
        module = OwnModule.from_parent(session, path=session.path / told["file"])
        module.tests = self.tests
        self.items = [
            OwnTest.from_parent(module, name=told[kind], callobj=getattr(self.tests, kind))
            for kind in ("passes", "fails")
        ]

    def around(self, items: list[pytest.Item]) -> None:
        """Put them around those of the suite."""
        before, behind = self.items
        items[:] = [before, *items, behind]
