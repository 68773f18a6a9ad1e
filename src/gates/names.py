"""What the names of a module stand for, as far as its imports tell."""

import ast
import builtins
from collections.abc import Iterator

from src.gates.source import defined_names

_BUILT_IN = frozenset(dir(builtins))
_DEEPEST = 20


class Names:
    """Follows names of one module through its imports and plain assignments to what they stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self._means: dict[str, str] = {}
        self._own = defined_names(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    self._means[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for alias in node.names:
                    self._means[alias.asname or alias.name] = f"{node.module}.{alias.name}"

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
