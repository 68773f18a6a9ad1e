"""Notices when something was replaced of pytest, of this reporter, or of what tests decide by. Part of the worker.

Taken before the job is there, looked at by tests of our own before and after the suite. What it looks with is bound at
once, so that replacing `all` does not hide that `all` was replaced.
"""

import builtins
import json
import math
import operator
import os
import sys
import types
from collections.abc import Callable, Iterator
from itertools import chain
from operator import attrgetter, call, is_, itemgetter
from typing import Any

import pytest

WATCHED = (builtins, json, json.encoder, math, operator, os, pytest)
PACKAGES = ("_pytest", "_selfheal", "hypothesis", "pluggy", "selfheal", "unittest")
"""Of these all modules and classes that are loaded by then."""
KINDS = (types.FunctionType, types.BuiltinFunctionType, type, classmethod, staticmethod, property)
NAMED = 3
"""So many of those that were replaced are named."""

taken: list[Callable[[], list[str]]] = []
"""The last seal that was taken."""

Space = dict[str, object] | types.MappingProxyType[str, object]


def seal(
    every: Callable[..., bool] = all,
    each: Any = map,
    same: Callable[..., bool] = is_,
    look: Callable[..., Any] = call,
    joined: Callable[..., Any] = chain.from_iterable,
    gone: type[KeyError] = KeyError,
) -> None:
    """Take note of how everything is. What is `taken` then names the first few that are no longer so."""
    spaces = [(name, space, _noted(space)) for name, space in _spaces()]
    parts = [(name, space, tuple(noted), tuple(noted.values())) for name, space, noted in spaces if noted]
    looks = [itemgetter(*names, names[0]) for _, _, names, _ in parts]  # two names at least, or it gives no tuple
    places = [space for _, space, _, _ in parts]
    kept = [value for *_, values in parts for value in (*values, values[0])]
    code_of = attrgetter("__code__")
    held = (getattr(value, "__func__", value) for *_, values in parts for value in values)
    bodies = list({id(body): body for body in held if isinstance(body, types.FunctionType)}.values())
    codes = [code_of(body) for body in bodies]
    tracers = (sys.gettrace, sys.getprofile)
    traced = [tracer() for tracer in tracers]
    modules = sys.modules

    def replaced() -> list[str]:
        found = ["sys.settrace"] if not every(each(same, [tracer() for tracer in tracers], traced)) else []
        if modules.get("pytest") is not pytest:
            found.append("pytest")
        if not every(each(same, each(code_of, bodies), codes)):
            found += [body.__qualname__ for body, code in zip(bodies, codes, strict=True) if body.__code__ is not code]
        try:
            whole = every(each(same, joined(each(look, looks, places)), kept))
        except gone:
            whole = False
        if not whole:
            found += [
                f"{name}.{key}"
                for name, space, names, values in parts
                for key, value in zip(names, values, strict=True)
                if space.get(key) is not value
            ]
        return found[:NAMED]

    taken[:] = [replaced]


def _noted(space: Space) -> dict[str, object]:
    return {name: value for name, value in list(space.items()) if isinstance(value, KINDS)}


def _spaces() -> Iterator[tuple[str, Space]]:
    for module in WATCHED:
        yield module.__name__, vars(module)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            yield name, vars(module)
            for kind in list(vars(module).values()):
                if type(kind) is type and kind.__module__ == module.__name__:
                    yield f"{name}.{kind.__qualname__}", vars(kind)
