"""A suite read once: its tests, what its imported names stand for, where a line is."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from src.gates.collected import collect
from src.gates.source import FoundTest, FunctionNode, imported_names, name_of

MOST_LEVELS = 100
"""Deeper nesting is refused before anything walks it: no person writes it, and reading it would exhaust the stack."""


@dataclass(frozen=True)
class Outline:
    """What the rules ask of a suite."""

    tree: ast.Module
    """The whole suite."""
    module_name: str
    """Import name of the module under test."""

    @cached_property
    def tests(self) -> list[FoundTest]:
        """The tests as pytest collects them."""
        return collect(self.tree)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the suite, line by line."""
        return sorted(ast.walk(self.tree), key=lambda node: getattr(node, "lineno", 0))

    @cached_property
    def functions(self) -> list[FunctionNode]:
        """Every function of the suite, wherever it stands."""
        return [node for node in self.nodes if isinstance(node, FunctionNode)]

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Imported names and what they stand for: `{"sleep": "time.sleep", "t": "time"}`."""
        return dict(_aliases(self.nodes))

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names, as the suite calls them, of what it imports from the module by name."""
        prefix = f"{self.module_name}."
        return frozenset(name for name, meaning in self.aliases.items() if meaning.startswith(prefix))

    @cached_property
    def handles(self) -> frozenset[str]:
        """Names, as the suite calls them, of the module itself."""
        return frozenset(name for name, meaning in self.aliases.items() if meaning == self.module_name)

    @cached_property
    def wanted(self) -> frozenset[str]:
        """Names that the module must define."""
        return frozenset(imported_names(self.tree, self.module_name))

    def meaning(self, node: ast.AST) -> str:
        """The full dotted name of what a name or attribute stands for; empty when it is something else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Call) and name_of(node.func) in {"__import__", "import_module"} and node.args:
            named = node.args[0]
            return ".".join([str(getattr(named, "value", "")), *reversed(parts)])
        if not isinstance(node, ast.Name):
            return ""
        return ".".join([self.aliases.get(node.id, node.id), *reversed(parts)])

    def place(self, node: ast.AST) -> str:
        """Where `node` stands, as a reason tells it: the test, if it is in one, and the line."""
        line = getattr(node, "lineno", 0)
        for test in self.tests:
            if test.function.lineno <= line <= (test.function.end_lineno or line):
                return f"`{test.name[:80]}`, line {line}"
        return f"Line {line}"


def levels(tree: ast.AST, most: int) -> int:
    """How deep a tree goes, counted up to `most`; without recursion, which a deep tree would exhaust."""
    depth, level = 0, [tree]
    while level and depth < most:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth


def shown(node: ast.AST, width: int = 60) -> str:
    """`node` as source on one line of at most `width` characters."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _aliases(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or name, name
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
