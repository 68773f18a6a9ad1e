"""What can be read off Python source without running it. Shared by the gates."""

import ast
import warnings
from collections.abc import Iterator

Block = list[ast.stmt]


def parse(source: str) -> ast.Module | str:
    """The syntax tree of `source`, or one line saying why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a dubious escape in generated code is not our warning
            return ast.parse(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "it is nested too deeply"


def imported_names(suite: ast.Module, module_name: str) -> set[str]:
    """Names that the suite takes from the module: imported by name, or used as `module.name`."""
    by_name = {
        alias.name
        for node in ast.walk(suite)
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == module_name
        for alias in node.names
        if alias.name != "*"
    }
    handles = {
        alias.asname or alias.name
        for node in ast.walk(suite)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == module_name
    }
    by_attribute = {
        node.attr
        for node in ast.walk(suite)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id in handles
    }
    return by_name | {name for name in by_attribute if not name.startswith("__")}


def imports_module(tree: ast.Module, module_name: str) -> bool:
    """Whether anything in `tree` imports the module."""
    return any(
        (isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == module_name)
        or (isinstance(node, ast.Import) and any(alias.name == module_name for alias in node.names))
        for node in ast.walk(tree)
    )


def is_open(tree: ast.Module) -> bool:
    """Whether the module may define names that its text does not show (`import *`, a module-level `__getattr__`)."""
    star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree))
    writes_globals = any(isinstance(node, ast.Name) and node.id in {"globals", "setattr"} for node in ast.walk(tree))
    return star or writes_globals or "__getattr__" in defined_names(tree)


def defined_names(tree: ast.Module) -> set[str]:
    """Names bound at module level, also inside `if`, `try`, `with`, loops and by `global` in functions."""
    names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for statement in _module_level(tree.body):
        names.update(_bound_by(statement))
    return names


def test_names(tree: ast.Module) -> list[str]:
    """Tests as pytest collects them by default: `test_x` functions, methods of `Test…` and `TestCase` classes."""
    found: list[str] = []
    for statement in _module_level(tree.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test"):
            found.append(statement.name)
        elif isinstance(statement, ast.ClassDef) and _is_test_class(statement):
            found.extend(f"{statement.name}::{name}" for name in _test_methods(statement))
    return found


def _is_test_class(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    return node.name.startswith("Test") or any(base.endswith("TestCase") for base in bases)


def _test_methods(node: ast.ClassDef) -> list[str]:
    return [
        item.name
        for item in node.body
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name.startswith("test")
    ]


def _module_level(block: Block) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, those in nested blocks included."""
    for statement in block:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for inner in _blocks(statement):
            yield from _module_level(inner)


def _blocks(statement: ast.stmt) -> Iterator[Block]:
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, None) or []
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        yield part.body


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(type_alias := getattr(statement, "name", None), ast.Name):
        yield type_alias.id
    else:
        inner = (node for expression in _expressions(statement) for node in ast.walk(expression))
        yield from (node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are not statements themselves."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child
