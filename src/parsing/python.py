"""What a piece of text defines, needs and tests when it is read as a Python module."""

import ast
import builtins
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from sandbox.syntax import tree_of
from src.parsing.errors import FormatError

_WORK = 3_000_000
_NAMESPACE = frozenset(dir(builtins)) | {"__name__", "__file__", "__doc__", "__builtins__", "__spec__", "__path__"}
_TEST_LIBRARIES = frozenset({"pytest", "unittest", "hypothesis", "doctest"})
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Module:
    """One parsed module and the facts that choosing between modules needs."""

    text: str
    """The source, blank lines at both ends removed, one newline at the end."""
    tree: ast.Module
    """Its syntax tree."""
    defines: frozenset[str] = frozenset()
    """Names bound at top level by definition, assignment or an import from the standard library."""
    functions: frozenset[str] = frozenset()
    """Functions and classes at top level."""
    members: dict[str, str] = field(default_factory=dict)
    """Public functions, classes and methods by qualified name, each function with its source."""
    needs: frozenset[str] = frozenset()
    """Names used and bound nowhere in the module."""
    tests: frozenset[str] = frozenset()
    """Test functions and test classes at top level."""
    imports: dict[str, frozenset[str]] = field(default_factory=dict)
    """Imported modules, each with the names taken from it; relative ones start with a dot."""

    @property
    def foreign(self) -> frozenset[str]:
        """Imported modules that belong neither to the standard library nor to testing."""
        tops = {name if name.startswith(".") else name.partition(".")[0] for name in self.imports}
        return frozenset(tops - sys.stdlib_module_names - _TEST_LIBRARIES)

    @property
    def is_suite(self) -> bool:
        """Whether it is a test file: tests, and nothing else of its own that they could be about."""
        if not self.tests:
            return False
        imported = set().union(*(self.imports[name] for name in self.imports if name.partition(".")[0] in self.foreign))
        own = {name for name in self.functions - self.tests if not name.startswith("_")}
        return not own or bool(self.foreign and not (own & (imported | self._called_in_tests())))

    def _called_in_tests(self) -> set[str]:
        return {
            node.id for part in self.tree.body if is_test(part) for node in ast.walk(part) if isinstance(node, ast.Name)
        }

    @property
    def is_usage(self) -> bool:
        """Whether it only shows how something is called: it defines no function or class and does things."""
        return not self.functions and any(
            isinstance(node, ast.Call | ast.Assert | ast.For | ast.While) for node in ast.walk(self.tree)
        )

    def missing(self, names: frozenset[str]) -> list[str]:
        """Those of `names` that it does not define."""
        return sorted(names - self.defines)


class Reader:
    """Parses text and remembers it; the work for one reply is bounded."""

    def __init__(self) -> None:
        self._left = _WORK
        self._known: dict[str, Module | SyntaxError] = {}

    def read(self, text: str) -> Module | SyntaxError:
        """The module in `text`, or why it is none; raises `FormatError` when the work for one reply is used up."""
        text = _trimmed(text)
        known = self._known.get(text)
        if known is None:
            self._left -= len(text) + 200
            if self._left < 0:
                raise FormatError(
                    "too_long", "The reply holds too much text that is not Python. Send one short answer with the code."
                )
            known = self._known[text] = _read(text)
        return known


def _trimmed(text: str) -> str:
    lines = text.rstrip().split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return "\n".join(lines[first:]) + "\n"


def _read(text: str) -> Module | SyntaxError:
    try:
        return _described(text, tree_of(text, compiled=True))
    except SyntaxError as error:
        return error
    except (ValueError, OverflowError) as error:
        return SyntaxError(str(error))
    except (RecursionError, MemoryError):
        return SyntaxError("nested too deeply")


def top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements that run at import, those inside `if`, `try`, `with` and loops included."""
    waiting: list[ast.AST] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.ExceptHandler | ast.match_case) or (
            isinstance(node, ast.stmt) and not isinstance(node, (*Function, ast.ClassDef))
        ):
            inner = [
                c for c in ast.iter_child_nodes(node) if isinstance(c, ast.stmt | ast.ExceptHandler | ast.match_case)
            ]
            waiting.extend(reversed(inner))


def _described(text: str, tree: ast.Module) -> Module:
    imports = _imports(tree)
    functions = {node.name for node in top_level(tree) if isinstance(node, (*Function, ast.ClassDef))}
    functions |= {
        target.id
        for node in top_level(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return Module(
        text=text,
        tree=tree,
        defines=frozenset(functions | set(_bound(tree))),
        functions=frozenset(functions),
        members=dict(_members(tree, text.split("\n"))),
        needs=_needs(tree),
        tests=frozenset(getattr(node, "name", "") for node in top_level(tree) if is_test(node)),
        imports=imports,
    )


def is_test(node: ast.stmt) -> bool:
    """Whether pytest would collect a test from a top-level statement."""
    if isinstance(node, Function):
        return node.name.startswith("test")
    if not isinstance(node, ast.ClassDef):
        return False
    named = node.name.startswith("Test") or any("TestCase" in ast.unparse(base) for base in node.bases)
    return named and any(isinstance(part, Function) and part.name.startswith("test") for part in node.body)


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in top_level(tree):
        if isinstance(node, ast.Import):
            yield from ((a.asname or a.name).partition(".")[0] for a in node.names if _standard(a.name))
        elif isinstance(node, ast.ImportFrom):
            if not node.level and _standard(node.module or ""):
                yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.With):
            yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _imports(tree: ast.Module) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.setdefault(alias.name, set())
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            found.setdefault(name, set()).update(alias.name for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and node.args
            and _called(node) in ("import_module", "importorskip", "__import__")
        ):
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                found.setdefault(argument.value, set())
    return {name: frozenset(names) for name, names in found.items()}


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _members(tree: ast.Module, lines: list[str]) -> Iterator[tuple[str, str]]:
    for node in top_level(tree):
        if not isinstance(node, (*Function, ast.ClassDef)) or node.name.startswith("_"):
            continue
        yield node.name, "" if isinstance(node, ast.ClassDef) else _source(node, lines)
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(part, Function):
                yield f"{node.name}.{part.name}", _source(part, lines)


def _source(node: ast.stmt, lines: list[str]) -> str:
    return "\n".join(lines[node.lineno - 1 : node.end_lineno]).strip()


def _needs(tree: ast.Module) -> frozenset[str]:
    used: set[str] = set()
    bound: set[str] = set(_NAMESPACE)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, (*Function, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            bound.add(node.name or "")
    return frozenset(() if "*" in bound else used - bound)
