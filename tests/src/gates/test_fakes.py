"""Fakes of a module that is not written yet: valid for every suite, wrong in every way, easy to import."""

import ast
import asyncio
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.fakes import ANSWERS, STUB, fakes_for

VALUES: list[Any] = [None, 0, "", [], True]


def built(suite: str) -> dict[str, Any]:
    """Each fake for `suite`, imported, by its name."""
    modules = {}
    for fake in fakes_for(suite, "solution"):
        module: Any = types.ModuleType("solution")
        exec(compile(fake.code, "solution.py", "exec"), module.__dict__)
        modules[fake.name] = module
    return modules


def answering(suite: str) -> Iterator[tuple[Any, Any]]:
    """The fakes that answer, each with the value that it answers."""
    modules = built(suite)
    return ((modules[name], value) for name, value in zip(ANSWERS, VALUES, strict=True))


def test_there_is_a_stub_and_a_fake_for_each_answer() -> None:
    names = [fake.name for fake in fakes_for("from solution import f\nf()", "solution")]
    assert names == [STUB, "None", "0", '""', "[]", "True"]


@pytest.mark.parametrize(
    "suite",
    [
        "from solution import add\nadd(1, 2)",
        "import solution\nsolution.add(1, 2)",
        "import solution as s\ns.add(1, b=2)",
        "from solution import add as plus\nplus(1, 2)",
        "from solution import *\nadd(1, 2)",
        "from importlib import import_module\nimport_module('solution').add(1)",
        "def test_it():\n    from solution import add\n    assert list(map(add, [1])) == [2]",
    ],
)
def test_a_function_is_there_however_it_is_taken(suite: str) -> None:
    with pytest.raises(NotImplementedError, match="`add` was called"):
        built(suite)[STUB].add(1, 2)
    assert [module.add(1, b=2) for module, _ in answering(suite)] == VALUES


def test_star_takes_no_name_that_the_suite_or_python_has_itself() -> None:
    suite = "import math\nfrom solution import *\ndef helper(a): return [len(x) for x in a]\nadd(math.pi, helper)"
    taken = {name for name in vars(built(suite)["0"]) if not name.startswith("_")}
    assert taken == {"add"}


def test_each_call_answers_a_list_of_its_own() -> None:
    module = built("from solution import f\nf()")["[]"]
    module.f().append(1)
    assert module.f() == []


def test_a_class_takes_anything_and_its_methods_and_attributes_answer() -> None:
    suite = "from solution import Stack\ns = Stack(1, size=2)\ns.push(1)\nStack.of(1)\nassert s.top == 1"
    for module, value in answering(suite):
        stack = module.Stack(1, size=2)
        assert isinstance(stack, module.Stack)
        assert (stack.push(1), stack.top, module.Stack.of(1)) == (value, value, value)
        assert (stack[3], stack + 1, -stack, stack < stack) == (value, value, value, value)
        assert len(stack) == (1 if value is True else 0)
        assert len(list(stack)) == 1
        assert len({stack, module.Stack()}) == 2


def test_the_stub_builds_no_object() -> None:
    stub = built("from solution import Stack\nStack()")[STUB]
    with pytest.raises(NotImplementedError, match="`Stack`"):
        stub.Stack()


def test_a_class_is_known_by_its_place_too() -> None:
    suite = "from solution import point, base, LRU, made\nisinstance(x, (int, point))\nclass A(base): ...\nLRU(3)"
    module = built(suite + "\nst.builds(made)")["0"]
    assert all(isinstance(made, type) for made in (module.point, module.base, module.LRU, module.made))


def test_classes_can_be_inherited_from_whatever_else_is_inherited_beside_them() -> None:
    suite = (
        "from abc import ABC\nfrom typing import Generic, TypeVar\nfrom solution import Base, Color, Stack\n"
        "class Own(Base, ABC):\n    def __init__(self): self.own = 1\n"
        "class Typed(Base, Generic[TypeVar('T')]): ...\nwanted = [Color.RED, Color['RED'], *Color, Stack[int]]"
    )
    for module in built(suite).values():
        namespace = run_beside(module, suite)
        assert namespace["Own"]().own == 1
        assert issubclass(namespace["Typed"], module.Base)
        assert namespace["wanted"][-1] is module.Stack


def test_exceptions_are_real_ones_and_each_is_one_of_its_own() -> None:
    suite = (
        "import pytest\nfrom solution import Empty, full, ParseError, OldWarning, f\n"
        "with pytest.raises((Empty, ValueError)): f()\ntry: f()\nexcept full: ..."
    )
    for module in built(suite).values():
        for kind in (module.Empty, module.full, module.ParseError):
            with pytest.raises(kind, match="why"):
                raise kind("why", code=3)
        assert not issubclass(module.Empty, module.full)
        assert issubclass(module.OldWarning, Warning)


def test_constants_answer_in_the_fakes_and_bear_any_use_in_the_stub() -> None:
    suite = "import pytest\nfrom solution import MAX, table, __version__\nassert table['a'] == 1\nassert __version__"
    assert [(module.MAX, module.table, module.__version__) for module, _ in answering(suite)] == [
        (value, value, value) for value in VALUES
    ]
    limit = built(suite)[STUB].MAX
    assert list(range(limit + 1)) == [0]
    assert limit != built(suite)[STUB].MAX


def test_an_object_whose_methods_are_used_has_them() -> None:
    suite = "from solution import registry\nregistry.register(1)\nassert registry.names == []"
    for module, value in answering(suite):
        assert (module.registry.register(1), module.registry.names) == (value, value)
    with pytest.raises(NotImplementedError):
        built(suite)[STUB].registry.register(1)


def test_what_is_awaited_can_be_awaited() -> None:
    suite = (
        "import asyncio\nfrom solution import fetch, Client, stream\n"
        "async def main():\n    async with Client() as c: await c.get(1)\n    async for x in stream(): ...\n"
        "asyncio.run(fetch(1))\nasyncio.run(asyncio.gather(*(other(n) for n in (1, 2))))"
    )

    async def visit(module: Any) -> Any:
        async with module.Client() as client:
            return await client.get(1), await module.fetch(1)

    assert [asyncio.run(visit(module)) for module, _ in answering(suite)] == [(value, value) for value in VALUES]
    with pytest.raises(NotImplementedError):
        asyncio.run(visit(built(suite)[STUB]))


def test_functions_in_a_with_open_and_close_and_swallow_nothing() -> None:
    suite = "from solution import timer, Cache\nwith timer() as t: ...\nwith Cache(): ..."
    for module, _ in answering(suite):
        for opened in (module.timer, module.Cache):
            with pytest.raises(KeyError), opened():
                raise KeyError


def test_a_decorator_can_be_put_to_work_at_import_and_what_it_made_answers() -> None:
    suite = "from solution import memo, retry\n@memo\ndef f(): ...\n@retry(3, on=KeyError)\ndef g(): ..."
    for module, value in answering(suite):
        namespace = run_beside(module, suite)
        assert (namespace["f"](1), namespace["g"](2)) == (value, value)
    made = run_beside(built(suite)[STUB], suite)
    for name in "fg":
        with pytest.raises(NotImplementedError):
            made[name]()


def test_a_module_that_names_its_functions_as_builtins_is_faked_as_well() -> None:
    suite = "from solution import iter, type, object, super, bool, TimeoutError, map\nmap(iter(1), type(2), bool())"
    for module, value in answering(suite):
        assert module.map(module.iter(1)) == value


def test_names_that_python_asks_a_module_for_are_not_made_up() -> None:
    module = built("import solution\nsolution.f()")["0"]
    assert not any(hasattr(module, name) for name in ("__all__", "__path__", "__wrapped__", "pytestmark"))


def test_a_suite_that_does_not_parse_has_no_fakes() -> None:
    assert fakes_for("def", "solution") == []


def run_beside(module: Any, suite: str) -> dict[str, Any]:
    """The suite's names, with `module` in the place of the module under test."""
    sys.modules["solution"] = module
    try:
        namespace: dict[str, Any] = {"__name__": "test_solution"}
        exec(compile(suite, "test_solution.py", "exec"), namespace)
        return namespace
    finally:
        del sys.modules["solution"]


NAMES = st.sampled_from(["f", "Cls", "MAX", "BadError", "match", "_private", "_fake_value", "__version__", "list", "ñ"])
USES = st.sampled_from(
    [
        "{0}(1)", "s.{0}", "{0}.a", "{0}.b(2)", "{0} == 1", "{0}[1]", "isinstance(x, {0})", "raises({0})", "len({0})",
        "@{0}\ndef d(): ...", "@s.{0}(1)\nclass D({0}): ...", "async def a(): await {0}(1)", "with {0}() as w: ...",
        "try: ...\nexcept (KeyError, {0}): ...", "raise {0}", "for x in {0}: ...", "{0} = 2", "lambda {0}: {0}",
    ]
)  # fmt: skip
IMPORTS = st.sampled_from(["import solution as s", "from solution import *", "from solution import {0}"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.builds(str.format, IMPORTS | USES, NAMES), max_size=8).map("\n".join))
def test_every_suite_that_parses_has_fakes_that_can_be_imported(suite: str) -> None:
    ast.parse(suite)
    assert len(built(suite)) == 6
