"""Which tests a suite must run, read from its source alone."""

import ast
from collections.abc import Set
from functools import lru_cache

from sandbox.syntax import tree_of


@lru_cache(maxsize=16)  # the same suite judges one module after the other
def defined_tests(source: str) -> frozenset[str] | None:
    """Names (`test_a`, `TestB::test_c`) of the test functions that stand plainly in `source`.

    Those within conditions, loops and functions are left out: whether they exist is not known before the suite runs.
    `None` when this Python cannot parse `source`.
    """
    try:
        module = tree_of(source)
        return frozenset(_tests_in(module.body, prefix="", unittest=False))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _tests_in(body: list[ast.stmt], prefix: str, unittest: bool) -> set[str]:
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test") and not _is_fixture(node):
                found.add(prefix + node.name)
        elif isinstance(node, ast.ClassDef) and not unittest:
            is_unittest = any(_last_name(base).endswith("TestCase") for base in node.bases)
            if (is_unittest or node.name.startswith("Test")) and not _opts_out(node):
                found |= _tests_in(node.body, f"{prefix}{node.name}::", is_unittest)
    return found


def _is_fixture(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(_last_name(decorator) == "fixture" for decorator in node.decorator_list)


def _opts_out(node: ast.ClassDef) -> bool:
    assigned = [statement for statement in node.body if isinstance(statement, ast.Assign)]
    return any(_last_name(target) == "__test__" for statement in assigned for target in statement.targets)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def missing_tests(defined: Set[str], collected: list[str]) -> list[str]:
    """Those of `defined` of which no collected id (`test_a[1]`, `TestB::test_c`) tells."""
    names = {identity.partition("[")[0] for identity in collected}
    return sorted(defined - names)
