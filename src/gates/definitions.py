"""What a module defines under a name, where its text leaves no doubt."""

import ast

from src.gates.source import bindings

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def definitions(tree: ast.Module) -> dict[str, Definition]:
    """Functions and classes that stand plainly at the top of the module and are the only binding of their name."""
    often = bindings(tree)
    return {node.name: node for node in tree.body if isinstance(node, Definition) and often[node.name] == 1}


def last_name(node: ast.expr) -> str:
    """The last part of a name: `dataclass` of `@dataclasses.dataclass(frozen=True)`; empty where there is none."""
    inner = node.func if isinstance(node, ast.Call) else node.value if isinstance(node, ast.Subscript) else node
    if isinstance(inner, ast.Attribute):
        return inner.attr
    return inner.id if isinstance(inner, ast.Name) else ""


def decorators(node: Definition) -> set[str]:
    """Last names of the decorators of a definition."""
    return {last_name(decorator) for decorator in node.decorator_list}


def bases(node: ast.ClassDef) -> set[str]:
    """Last names of the bases of a class."""
    return {last_name(base) for base in node.bases}


def body_of(node: Definition) -> list[ast.stmt]:
    """The body without its docstring."""
    documented = ast.get_docstring(node, clean=False) is not None
    return node.body[1:] if documented else node.body
