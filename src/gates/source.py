"""What can be read off Python source without running it. Shared by the gates."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sandbox.syntax import tree_of

Block = list[ast.stmt]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class FoundTest:
    """A test as pytest collects it."""

    name: str
    """`test_x`, or `TestGroup::test_x` for a method."""
    function: FunctionNode
    """What is called."""
    owner: ast.ClassDef | None = None
    """The class of a method."""


def parse(source: str) -> ast.Module | str:
    """The syntax tree of `source`, or one line saying why there is none."""
    try:
        return tree_of(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "it is nested too deeply"


def parse_expression(source: str) -> ast.expr | None:
    """The syntax tree of one expression; `None` when `source` is none."""
    tree = parse(f"({source}\n)")
    if isinstance(tree, str) or len(tree.body) != 1:
        return None
    return tree.body[0].value if isinstance(tree.body[0], ast.Expr) else None


def lines_of(source: str) -> list[str]:
    """The lines of `source` as Python counts them; other line breaks of Unicode do not end one."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


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
    return set(bindings(tree))


def bindings(tree: ast.Module) -> Counter[str]:
    """How often each name is bound at module level, in the ways of `defined_names`."""
    names = Counter(name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names)
    for statement in module_level(tree.body):
        names.update(bound_names(statement))
    return names


def test_names(tree: ast.Module) -> list[str]:
    """Tests as pytest collects them by default: `test_x` functions, methods of `Test…` and `TestCase` classes."""
    return [test.name for test in found_tests(tree)]


def found_tests(tree: ast.Module) -> list[FoundTest]:
    """The tests of `test_names` with their nodes, in order; a name that is defined twice is there twice."""
    found: list[FoundTest] = []
    for statement in module_level(tree.body):
        if isinstance(statement, FunctionNode) and statement.name.startswith("test"):
            found.append(FoundTest(statement.name, statement))
        elif isinstance(statement, ast.ClassDef) and is_test_class(statement):
            found.extend(_test_methods(statement))
    return found


def name_of(node: ast.AST) -> str:
    """The last part of a dotted name; empty when `node` is anything else, a call included."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_test_class(node: ast.ClassDef) -> bool:
    """Whether pytest looks for tests in a class."""
    return node.name.startswith("Test") or any(name_of(base).endswith("TestCase") for base in node.bases)


def _test_methods(node: ast.ClassDef) -> Iterator[FoundTest]:
    for item in node.body:
        if isinstance(item, FunctionNode) and item.name.startswith("test"):
            yield FoundTest(f"{node.name}::{item.name}", item, node)


def module_level(block: Block) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported, those in nested blocks included, in order."""
    waiting = list(reversed(block))
    while waiting:  # no recursion: a chain of `elif` nests deeper than Python calls
        statement = waiting.pop()
        yield statement
        if not isinstance(statement, FunctionNode | ast.ClassDef):
            waiting.extend(reversed([inner for part in blocks(statement) for inner in part]))


def blocks(statement: ast.stmt) -> Iterator[Block]:
    """The blocks of a compound statement (`if`, `try`, `with`, loops, `match`, definitions); empty ones too."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(statement, field, None) or []
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        yield part.body


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement binds where it stands; those of blocks within it are not looked for."""
    if isinstance(statement, FunctionNode | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
    elif isinstance(type_alias := getattr(statement, "name", None), ast.Name):
        yield type_alias.id
    else:
        inner = (node for expression in expressions(statement) for node in ast.walk(expression))
        yield from (node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are not statements themselves."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child
