"""Tests taken out of a suite, or labelled anew, by the place where they stand; the rest stays byte for byte."""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from textwrap import dedent

from src.gates.provenance import Marker, Provenance, markers_of, own_markers
from src.gates.source import Block, FoundTest, FunctionNode, blocks, defined_names, found_tests, module_level, parse

_PLAIN_MARK = "pytest.mark"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def sources_of(source: str, names: Collection[str]) -> str:
    """The source of the tests called `names`, decorators included, in order; empty when the suite does not parse."""
    tree, lines = parse(source), lines_of(source)
    if isinstance(tree, str):
        return ""
    parts = [_text_of(test, lines) for test in found_tests(tree) if test.name in names]
    return "\n\n".join(part.rstrip() + "\n" for part in parts)


def without_tests(source: str, names: Collection[str]) -> str:
    """The suite without the tests called `names`; a class that holds nothing else goes too.

    A block that must not be empty gets a `pass`. A suite that does not parse is left as it is.
    """
    tree = parse(source)
    if isinstance(tree, str):
        return source
    leaving = _leaving(tree, names)
    lines = lines_of(source)
    for cut in sorted(_cuts(tree, leaving, lines), key=lambda cut: cut.first, reverse=True):
        lines[cut.first : cut.end] = [cut.filler] if cut.filler else []
    return "".join(lines)


def relabelled(source: str, labels: Mapping[str, Provenance]) -> str:
    """The suite with the markers of `labels` on the tests of those names, instead of what they had of their own.

    The text of everything else stays. A suite that does not parse is left as it is.
    """
    tree = parse(source)
    if isinstance(tree, str):
        return source
    text = _Text(source)
    mark = _spelling_of_mark(tree, text)
    chosen = [test for test in found_tests(tree) if test.name in labels]
    edited = text.with_edits(edit for test in chosen for edit in _relabelling(test, labels[test.name], mark, text))
    needs_import = bool(chosen) and mark == _PLAIN_MARK and "pytest" not in defined_names(tree)
    return _importing_pytest(edited) if needs_import else edited


def lines_of(source: str) -> list[str]:
    """Lines as Python counts them, with their ends."""
    return _LINE.findall(source)


def first_line(node: FunctionNode | ast.ClassDef, lines: list[str]) -> int:
    """Index of the line where a definition starts, its decorators included."""
    return _at_sign(node.decorator_list[0], lines) if node.decorator_list else node.lineno - 1


def _at_sign(decorator: ast.expr, lines: list[str]) -> int:
    """Index of the line with the decorator's `@`; a decorator in brackets may start below it."""
    index = decorator.lineno - 1
    while index and not lines[index].lstrip().startswith("@"):
        index -= 1
    return index


def _text_of(test: FoundTest, lines: list[str]) -> str:
    return dedent("".join(lines[first_line(test.function, lines) : test.function.end_lineno]))


@dataclass(frozen=True)
class _Cut:
    """Lines to take out."""

    first: int
    end: int
    filler: str


def _leaving(tree: ast.Module, names: Collection[str]) -> set[int]:
    """Identities of the definitions that go: the tests, and classes that hold nothing else and that nothing names."""
    tests = [test for test in found_tests(tree) if test.name in names]
    leaving = {id(test.function) for test in tests}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for owner in {id(test.owner): test.owner for test in tests if test.owner}.values():
        rest = [item for item in owner.body if id(item) not in leaving and not _is_inert(item)]
        if not rest and owner.name not in used:
            leaving.add(id(owner))
    return leaving


def _is_inert(statement: ast.stmt) -> bool:
    """Whether it does nothing by itself: `pass`, a docstring, a mark for tests that are gone."""
    marks = isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "pytestmark" for target in statement.targets
    )
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return marks or constant or isinstance(statement, ast.Pass)


def _cuts(tree: ast.Module, leaving: set[int], lines: list[str]) -> Iterator[_Cut]:
    yield from _cuts_in(tree.body, leaving, lines, may_be_empty=True)
    for statement in module_level(tree.body):
        if id(statement) not in leaving and not isinstance(statement, FunctionNode):
            for block in blocks(statement):
                yield from _cuts_in(block, leaving, lines, may_be_empty=False)


def _cuts_in(block: Block, leaving: set[int], lines: list[str], *, may_be_empty: bool) -> Iterator[_Cut]:
    gone = [item for item in block if id(item) in leaving and isinstance(item, FunctionNode | ast.ClassDef)]
    for item in gone:
        first, end = first_line(item, lines), item.end_lineno or item.lineno
        fill = item is gone[0] and len(gone) == len(block) and not may_be_empty
        yield _Cut(first, end, f"{_indent(lines[first])}pass{_end(lines[end - 1])}" if fill else "")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


Edit = tuple[int, int, str]
"""Bytes from, bytes to, and what stands there then."""


class _Text:
    """A source with places in bytes, as syntax trees count columns."""

    def __init__(self, source: str) -> None:
        self.lines = lines_of(source)
        self.data = source.encode()
        self.starts = [0, *accumulate(len(line.encode()) for line in self.lines)]

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Where `node` starts and ends."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[end_line - 1] + end_column

    def of(self, node: ast.expr) -> str:
        """The source of `node`."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def with_edits(self, edits: Iterable[Edit]) -> str:
        """The source with `edits`, which do not overlap."""
        data = self.data
        for start, end, text in sorted(edits, reverse=True):
            data = data[:start] + text.encode() + data[end:]
        return data.decode()


def _relabelling(test: FoundTest, label: Provenance, mark: str, text: _Text) -> Iterator[Edit]:
    own, function = own_markers(test), test.function
    call = f".{label.kind}({_quoted(label.words)})"
    if not own:
        first = first_line(function, text.lines)
        indent, end = _indent(text.lines[function.lineno - 1]), _end(text.lines[function.lineno - 1]) or "\n"
        yield text.starts[first], text.starts[first], f"{indent}@{mark}{call}{end}"
        return
    yield *text.span(own[0].node), f"{text.of(_mark_in(own[0]))}{call}"
    borders = [*(_at_sign(decorator, text.lines) for decorator in function.decorator_list), function.lineno - 1]
    for marker in own[1:]:
        place = function.decorator_list.index(marker.node)
        yield text.starts[borders[place]], text.starts[borders[place + 1]], ""


def _mark_in(marker: Marker) -> ast.expr:
    """The `pytest.mark` of a marker."""
    name = marker.node.func if isinstance(marker.node, ast.Call) else marker.node
    return name.value if isinstance(name, ast.Attribute) else name


def _spelling_of_mark(tree: ast.Module, text: _Text) -> str:
    """How the suite writes `pytest.mark`."""
    if "pytest" in defined_names(tree):
        return _PLAIN_MARK
    return next((text.of(_mark_in(marker)) for _, markers in markers_of(tree) for marker in markers), _PLAIN_MARK)


def _importing_pytest(source: str) -> str:
    """The suite with `import pytest` before its first statement that need not stand first."""
    tree = parse(source)
    if isinstance(tree, str):
        return source
    rest = [item for index, item in enumerate(tree.body) if not _stands_first(item, index)]
    text = _Text(source)
    first = rest[0]
    line = first_line(first, text.lines) if isinstance(first, FunctionNode | ast.ClassDef) else first.lineno - 1
    return text.with_edits([(text.starts[line], text.starts[line], f"import pytest{_end(text.lines[0]) or chr(10)}")])


def _stands_first(statement: ast.stmt, index: int) -> bool:
    docstring = index == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return docstring or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _quoted(text: str) -> str:
    """`text` as a Python literal, in double quotes where that needs no escape."""
    shown = repr(text)
    return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown
