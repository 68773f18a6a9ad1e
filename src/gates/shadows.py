"""Names of a suite that hide others: of the module under test, or of an earlier test."""

import ast
from collections.abc import Iterator
from typing import TypeGuard

from src.gates.outline import Outline, shown
from src.gates.source import Block, FunctionNode, blocks, is_test_class


def shadowed_module(outline: Outline) -> Iterator[str]:
    """A reason for each place where the suite puts something of its own in the place of what it should test."""
    methods = {id(item) for node in outline.nodes if isinstance(node, ast.ClassDef) for item in node.body}
    own = {function.name for function in outline.functions}
    for node in outline.nodes:
        if isinstance(node, FunctionNode | ast.ClassDef) and node.name in outline.taken and id(node) not in methods:
            yield _own(node, node.name, outline)
        elif isinstance(node, ast.Assign):
            yield from _assigned(node, own, outline)
        elif isinstance(node, ast.Call) and _replaces_module(node, outline):
            yield _fake(node, outline)


def hidden_tests(outline: Outline) -> Iterator[str]:
    """A reason for each test that a later one of the same name hides: pytest would never run it."""
    yield from _hidden(outline.tree.body, "")


def _assigned(node: ast.Assign, own: set[str], outline: Outline) -> Iterator[str]:
    at_top = node in outline.tree.body
    is_function = isinstance(node.value, ast.Lambda) or (isinstance(node.value, ast.Name) and node.value.id in own)
    for target in node.targets:
        if isinstance(target, ast.Name) and target.id in outline.taken and (at_top or is_function):
            yield _own(node, target.id, outline)
        elif isinstance(target, ast.Attribute) and is_function and _is_of_module(target, outline):
            yield _own(node, target.attr, outline)
        elif isinstance(target, ast.Subscript) and _is_entry_of_module(target, outline):
            yield _fake(node, outline)


def _is_of_module(target: ast.Attribute, outline: Outline) -> bool:
    return isinstance(target.value, ast.Name) and target.value.id in outline.handles


def _is_entry_of_module(target: ast.Subscript, outline: Outline) -> bool:
    is_module = isinstance(target.slice, ast.Constant) and target.slice.value == outline.module_name
    return is_module and outline.meaning(target.value) == "sys.modules"


def _replaces_module(call: ast.Call, outline: Outline) -> bool:
    """`monkeypatch.setitem(sys.modules, "solution", …)`, `patch.dict(sys.modules, {"solution": …})`, `setdefault`."""
    about = [call.func.value, *call.args] if isinstance(call.func, ast.Attribute) else call.args
    if not any(
        outline.meaning(node) == "sys.modules" or (isinstance(node, ast.Constant) and node.value == "sys.modules")
        for node in about
    ):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return name in {"setitem", "dict", "setdefault", "update", "__setitem__"} and any(
        isinstance(part, ast.Constant) and part.value == outline.module_name
        for argument in call.args
        for part in ast.walk(argument)
    )


def _own(node: ast.AST, name: str, outline: Outline) -> str:
    return (
        f"Line {getattr(node, 'lineno', 0)}: the suite defines `{name[:60]}` itself, so it would test its own; "
        f"use the one from `{outline.module_name}`, and name yours otherwise."
    )


def _fake(node: ast.AST, outline: Outline) -> str:
    return (
        f"{outline.place(node)}: `{shown(node)}` puts a fake in the place of `{outline.module_name}`; "
        "test the real module."
    )


def _hidden(block: Block, owner: str) -> Iterator[str]:
    seen: dict[str, int] = {}
    for node in block:
        if _is_test(node):
            if node.name in seen:
                yield (
                    f"Line {node.lineno}: `{owner}{node.name[:80]}` hides the test of the same name on line "
                    f"{seen[node.name]}; give each its own name."
                )
            seen[node.name] = node.lineno
        if isinstance(node, ast.ClassDef):
            yield from _hidden(node.body, f"{owner}{node.name[:80]}::")
        elif not isinstance(node, FunctionNode):
            for inner in blocks(node):
                yield from _hidden(inner, owner)


def _is_test(node: ast.stmt) -> TypeGuard[FunctionNode | ast.ClassDef]:
    if isinstance(node, ast.ClassDef):
        return is_test_class(node)
    return isinstance(node, FunctionNode) and node.name.startswith("test")
