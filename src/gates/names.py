"""What the names of a module stand for, as far as its imports tell."""

import ast
import builtins
from collections.abc import Collection, Iterator

from src.gates.source import defined_names

_BUILT_IN = frozenset(dir(builtins))
_DEEPEST = 20
_LONGEST_CHAIN = 5
"""Assignments that are followed at most from a name to what was imported: `a = os`, `b = a`, and so on."""


class Names:
    """Follows names of one module through its imports and plain assignments to what they stand for."""

    def __init__(self, tree: ast.Module, known: Collection[str] = ()) -> None:
        """`known`: dotted names that are looked for behind `from … import *` as well."""
        self._means: dict[str, str] = {}
        self._own = defined_names(tree)
        nodes = list(ast.walk(tree))
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self._means[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                self._bring(node, known)
        assigned = [pair for node in nodes for pair in _assignments(node)]
        for _ in range(_LONGEST_CHAIN):
            before = len(self._means)
            for name, value in assigned:
                self._follow(name, value)
            if len(self._means) == before:
                break

    def _bring(self, node: ast.ImportFrom, known: Collection[str]) -> None:
        for alias in node.names:
            if alias.name != "*":
                self._means[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                continue
            for dotted in known:
                owner, _, name = dotted.rpartition(".")
                if owner == node.module and name not in self._own:
                    self._means[name] = dotted

    def _follow(self, name: str, value: ast.expr) -> None:
        """`name` stands for what `value` does, where that was imported or is a builtin."""
        dotted, root = self.dotted(value), value
        while isinstance(root, ast.Attribute):
            root = root.value
        imported = isinstance(root, ast.Call) or (isinstance(root, ast.Name) and root.id in self._means)
        if dotted and name not in self._means and (imported or self.is_builtin(dotted)):
            self._means[name] = dotted

    def brought_by(self, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        """Dotted names of what an import brings."""
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)

    def dotted(self, node: ast.expr) -> str:
        """`os._exit` for every way to write it that the text shows; empty for anything but a chain of names."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute) and len(parts) < _DEEPEST:
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.NamedExpr):
            node = node.target
        if isinstance(node, ast.Call):
            root = self._imported_by(node)
        else:
            root = self._means.get(node.id, node.id) if isinstance(node, ast.Name) else ""
        return ".".join([root, *reversed(parts)]) if root else ""

    def _imported_by(self, node: ast.Call) -> str:
        """The module that `__import__("os")` or `importlib.import_module("os")` gives."""
        first = node.args[0] if node.args else None
        name = self.dotted(node.func) if isinstance(node.func, ast.Name | ast.Attribute) else ""
        if name in {"__import__", "importlib.import_module"} and isinstance(first, ast.Constant):
            return str(first.value)[:_DEEPEST]
        return ""

    def is_builtin(self, name: str) -> bool:
        """Whether `name`, or what it belongs to, is a builtin that the module does not define anew."""
        root = name.partition(".")[0]
        return root in _BUILT_IN and root not in self._own and root not in self._means

    def is_foreign(self, dotted: str) -> bool:
        """Whether it belongs to what was imported."""
        return any(dotted == name or dotted.startswith(f"{name}.") for name in self._means.values())


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Each name that a statement, an expression or a default gives a value, with the value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from _pairs(target, value)
        case ast.arguments(posonlyargs=first, args=args, defaults=defaults, kwonlyargs=named, kw_defaults=of_named):
            positional = [*first, *args]
            with_default = zip(positional[len(positional) - len(defaults) :], defaults, strict=True)
            for argument, default in (*with_default, *zip(named, of_named, strict=True)):
                if default is not None:
                    yield argument.arg, default


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        for inner, part in zip(target.elts, value.elts, strict=False):
            if isinstance(inner, ast.Name):
                yield inner.id, part
