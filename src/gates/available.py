"""Whether a suite needs only what is there when it runs."""

import ast
from collections.abc import Iterator
from sys import stdlib_module_names

from src.gates.collected import place
from src.gates.imports import AT_HAND, tops, unguarded
from src.gates.outline import Outline
from src.gates.source import FoundTest

INSTEAD = {
    "numpy": "lists, `math` and `pytest.approx`",
    "pandas": "lists and dictionaries",
    "freezegun": "a clock that is passed in, or `monkeypatch`",
    "time_machine": "a clock that is passed in, or `monkeypatch`",
    "pytest_mock": "`unittest.mock` or `monkeypatch`",
    "mock": "`unittest.mock`",
    "parameterized": "`pytest.mark.parametrize`",
    "pytest_asyncio": "`asyncio.run(…)` inside a plain test",
    "faker": "values that are written out",
    "requests": "a fake object",
    "six": "plain Python 3",
}
"""What a suite can use in the place of a package that is not there."""

PLUGIN_FIXTURES = {
    "mocker": "`unittest.mock` or `monkeypatch`",
    "freezer": "a clock that is passed in",
    "benchmark": "a plain call",
    "faker": "values that are written out",
    "requests_mock": "a fake object",
    "event_loop": "`asyncio.run(…)`",
}
"""Fixtures of plugins that are not there, and what to use in their place."""


def unavailable(outline: Outline, packages: frozenset[str] | None) -> Iterator[str]:
    """A reason for each import, and each fixture of a plugin, that the sandbox image does not have.

    `packages`: import names of what is installed besides; `None`: the container has to tell.
    """
    for node in unguarded(outline.tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield (
                f"Line {node.lineno}: the suite is one file of its own; "
                f"write `from {outline.module_name} import …` without the dot."
            )
        elif packages is not None:
            yield from _absent(node, outline.module_name, packages)
    if packages is not None:
        yield from _absent_fixtures(outline)


def _absent(node: ast.Import | ast.ImportFrom, module_name: str, packages: frozenset[str]) -> Iterator[str]:
    known = AT_HAND | packages | {module_name.partition(".")[0]} | stdlib_module_names
    there = ", ".join([*(f"`{name}`" for name in sorted(packages)[:10]), "`pytest`", "`hypothesis`"])
    for name in tops(node):
        if name not in known:
            instead = f" use {INSTEAD[name]} in place of it;" if name in INSTEAD else ""
            yield (
                f"Line {node.lineno}: `{name[:60]}` is not installed where the suite runs;{instead} "
                f"there are the standard library, {there} and `{module_name}`."
            )


def _absent_fixtures(outline: Outline) -> Iterator[str]:
    own = {function.name for function in outline.functions}
    for test in outline.tests:
        wanted = [argument.arg for argument in test.function.args.args if argument.arg in PLUGIN_FIXTURES]
        for name in wanted:
            if name not in own and not _is_given(test, name, outline):
                yield (
                    f"{place(test)} takes `{name}`, a fixture of a plugin that is not installed; "
                    f"use {PLUGIN_FIXTURES[name]}."
                )


def _is_given(test: FoundTest, name: str, outline: Outline) -> bool:
    """Whether a decorator hands the argument in (`parametrize`, `given`, `patch`), or a fixture has it as its name."""
    decorators = [*test.function.decorator_list, *(test.owner.decorator_list if test.owner else ())]
    fixtures = [decorator for function in outline.functions for decorator in function.decorator_list]
    parts = [part for decorator in decorators for part in ast.walk(decorator)]
    parts += [word.value for call in fixtures if isinstance(call, ast.Call) for word in call.keywords]
    return any(
        (isinstance(part, ast.Constant) and name in str(part.value))
        or (isinstance(part, ast.keyword) and part.arg == name)
        or (isinstance(part, ast.Attribute | ast.Name) and "patch" in ast.unparse(part)[:40])
        for part in parts
    )
