"""Is there what a module imports?"""

import ast
import sys
from collections.abc import Iterator

from src.gates.definitions import last_name

AT_HAND = frozenset({"pytest", "_pytest", "hypothesis", "pluggy"})
"""Not of the standard library, but in the image for the suite's sake; a module that wants them is suspected instead."""
_MOST = 10
_FORGIVING = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def foreign(tree: ast.Module, module_name: str, packages: frozenset[str] | None) -> list[str]:
    """Reasons against imports that cannot work.

    `packages`: import names of what the image holds besides the standard library; `None`: it holds some, but under
    which names is not known, so that the container has to tell.
    """
    found = list(unguarded(tree))
    reasons = [
        f"Line {node.lineno} imports from a package around the module; the module stands alone."
        for node in found
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    if packages is None:
        return reasons
    there = sys.stdlib_module_names | AT_HAND | packages | {module_name}
    absent = sorted({(node.lineno, name) for node in found for name in tops(node) if name not in there})
    if absent:
        named = ", ".join(f"`{name}` (line {line})" for line, name in absent[:_MOST])
        known = ", ".join(["the standard library", *sorted(packages)])
        reasons.append(f"The module imports {named}, which is not installed where it runs; there is: {known}.")
    return reasons


def tops(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The first parts of what an absolute import names."""
    names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    yield from (name.partition(".")[0] for name in names if name and not getattr(node, "level", 0))


def unguarded(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports that must succeed: not those in a `try` that takes their failure, nor those for type checkers alone."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.Try) and any(_forgives(handler) for handler in node.handlers):
            waiting.extend([*node.handlers, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.If) and last_name(node.test) == "TYPE_CHECKING":
            waiting.extend(node.orelse)
        else:
            waiting.extend(ast.iter_child_nodes(node))


def _forgives(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(last_name(kind) in _FORGIVING for kind in kinds)
