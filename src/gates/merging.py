"""Some tests of a suite replaced by others of the same names, everything else left as it was, word for word."""

import ast
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from src.gates.excerpts import first_line, lines_of
from src.gates.source import FoundTest, FunctionNode, found_tests, imports_module, parse

Import = ast.Import | ast.ImportFrom


@dataclass(frozen=True)
class Cut:
    """Two suites laid side by side: the present one, and an answer that holds all of it or some tests."""

    old: ast.Module
    """The present suite."""
    new: ast.Module
    """The answer."""
    disputed: tuple[str, ...]
    """Names of the tests that may be replaced."""
    module_name: str
    """Import name of the module under test."""

    @cached_property
    def before(self) -> dict[str, FunctionNode]:
        """The present tests by name."""
        return {test.name: test.function for test in found_tests(self.old)}

    @cached_property
    def sent(self) -> dict[str, FunctionNode]:
        """The answer's tests, a method that came without its class under its full name."""
        found = {test.name: test.function for test in found_tests(self.new)}
        return {self._full(name): node for name, node in found.items()}

    @cached_property
    def changed(self) -> dict[str, FunctionNode]:
        """The disputed tests that differ, as the answer has them."""
        return {
            name: self.sent[name]
            for name in self.disputed
            if name in self.before and name in self.sent and not same(self.before[name], self.sent[name])
        }

    @cached_property
    def own(self) -> dict[str, ast.Assign]:
        """Constants at the top of the present suite that the disputed tests alone use: rows of cases, say."""
        mine = {id(node) for name in self.disputed if name in self.before for node in ast.walk(self.before[name])}
        used = [node for node in ast.walk(self.old) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        others = {node.id for node in used if id(node) not in mine}
        inside = {node.id for node in used if id(node) in mine}
        constants = _constants(self.old)
        return {name: node for name, node in constants.items() if name in inside - others}

    @cached_property
    def revised(self) -> dict[str, ast.Assign]:
        """Those of these constants that differ, as the answer has them."""
        sent = _constants(self.new)
        return {name: sent[name] for name, node in self.own.items() if name in sent and not same(node, sent[name])}

    @cached_property
    def removed(self) -> list[str]:
        """The disputed tests that a whole suite lacks. An answer that holds some tests alone takes none away."""
        rest = set(self.before) - set(self.disputed)
        whole = bool(rest) and rest <= set(self.sent) and imports_module(self.new, self.module_name)
        return [name for name in self.disputed if name in self.before and name not in self.sent] if whole else []

    def _full(self, name: str) -> str:
        if name in self.before:
            return name
        ends = [known for known in self.before if known.endswith(f"::{name}")]
        return ends[0] if len(ends) == 1 else name


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two pieces of source differ in nothing but layout and comments."""
    return ast.dump(one) == ast.dump(other)


def strangers(cut: Cut) -> list[str]:
    """What the answer changes or adds besides the disputed tests and imports, one line each."""
    found = []
    for name, node in cut.sent.items():
        if name not in cut.before:
            found.append(f"The answer adds a test `{name}`")
        elif name not in cut.disputed and not same(cut.before[name], node):
            found.append(f"The answer changes `{name}`, which is not disputed")
    return found + [f"The answer adds or changes {_told(node)}" for node in _foreign(cut)]


def additions(cut: Cut) -> list[Import]:
    """Imports at the top of the answer that the present suite has not."""
    known = {_word(alias, node) for node in cut.old.body if isinstance(node, Import) for alias in node.names}
    added: list[Import] = []
    for node in cut.new.body:
        if isinstance(node, Import) and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            names = [alias for alias in node.names if _word(alias, node) not in known]
            if names:
                added.append(_only(node, names))
    return added


def spliced(old: str, new: str, cut: Cut) -> str | None:
    """The present suite with the changed tests of the answer in their places and its new imports.

    `None` when that cannot be done line by line, so that what came out is not what was meant.
    """
    lines = _ended(lines_of(old))
    for start, end, text in sorted(_edits(lines, new, cut), reverse=True):  # places before an edit keep their numbers
        lines[start:end] = text
    place = _place_of_imports(cut.old)
    lines[place:place] = [f"{ast.unparse(node)}\n" for node in additions(cut)]
    merged = "".join(lines)
    return merged if _is_as_meant(merged, cut) else None


def _edits(lines: list[str], new: str, cut: Cut) -> Iterator[tuple[int, int, list[str]]]:
    """Lines from, lines to, and what stands there then."""
    for test in found_tests(cut.old):
        start, end = first_line(test.function, lines), test.function.end_lineno or test.function.lineno
        if test.name in cut.changed:
            yield start, end, _moved(new, cut.changed[test.name], test.function.col_offset)
        elif test.name in cut.removed:
            yield start, end, []
    every = lines_of(new)
    for name, node in cut.revised.items():
        old = cut.own[name]
        text = _ended(every[node.lineno - 1 : node.end_lineno])
        yield old.lineno - 1, old.end_lineno or old.lineno, text


def _is_as_meant(merged: str, cut: Cut) -> bool:
    tree = parse(merged)
    if isinstance(tree, str):
        return False
    tests = {test.name: test.function for test in found_tests(tree)}
    wanted = {name: node for name, node in (cut.before | cut.changed).items() if name not in cut.removed}
    if tests.keys() != wanted.keys() or not all(same(tests[name], wanted[name]) for name in wanted):
        return False
    added = {ast.dump(node) for node in additions(cut)}
    revised = {ast.dump(cut.own[name]): ast.dump(node) for name, node in cut.revised.items()}
    rest = [dump for dump in _without_tests(tree) if dump not in added]
    return rest == [revised.get(dump, dump) for dump in _without_tests(cut.old) if dump not in added]


def _without_tests(tree: ast.Module) -> list[str]:
    """Everything but the tests, in order."""
    tests = {id(test.function) for test in found_tests(tree)}
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            head = [*statement.bases, *statement.keywords, *statement.decorator_list]
            inner = [node for node in statement.body if id(node) not in tests]
            found.append(" ".join([statement.name, *map(ast.dump, [*head, *inner])]))
        elif id(statement) not in tests:
            found.append(ast.dump(statement))
    return found


def _foreign(cut: Cut) -> list[ast.stmt]:
    """Statements of the answer that are neither tests nor imports and that the present suite has not."""
    known = {ast.dump(node) for node in [*_others(cut.old), *cut.revised.values()]}
    return [node for node in _others(cut.new) if ast.dump(node) not in known]


def _others(tree: ast.Module) -> list[ast.stmt]:
    """Statements at the top, and in classes that hold tests, which are no tests, imports or texts."""
    tests: list[FoundTest] = found_tests(tree)
    functions = {id(test.function) for test in tests}
    owners = [test.owner for test in tests if test.owner is not None]
    holders = {id(owner): owner for owner in owners}
    every = [*tree.body, *(node for owner in holders.values() for node in owner.body)]
    return [
        node
        for node in every
        if id(node) not in functions
        and id(node) not in holders
        and not isinstance(node, Import)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


def _constants(tree: ast.Module) -> dict[str, ast.Assign]:
    """Plain assignments at the top to a name that is bound there once."""
    found: dict[str, list[ast.Assign]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node)
    return {name: nodes[0] for name, nodes in found.items() if len(nodes) == 1}


def _told(node: ast.stmt) -> str:
    return f"`{ast.unparse(node).splitlines()[0][:80]}`"


def _word(alias: ast.alias, node: Import) -> str:
    """What an import takes and binds; `from a import b` and `from a import b, c` share it."""
    return ast.dump(_only(node, [alias]))


def _only(node: Import, names: list[ast.alias]) -> Import:
    if isinstance(node, ast.ImportFrom):
        return ast.ImportFrom(module=node.module, names=names, level=node.level)
    return ast.Import(names=names)


def _moved(source: str, function: FunctionNode, column: int) -> list[str]:
    """The lines of a function, brought to another column where that is needed."""
    every = lines_of(source)
    lines = every[first_line(function, every) : function.end_lineno]
    if function.col_offset == column:
        return _ended(lines)
    moved = textwrap.indent(textwrap.dedent("".join(lines)), " " * column)
    return _ended(lines_of(moved))


def _ended(lines: list[str]) -> list[str]:
    """The last line with an end, since another line may follow."""
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _place_of_imports(tree: ast.Module) -> int:
    """The line after the last import at the top, or after the suite's own description."""
    ends = [node.end_lineno or 0 for node in tree.body if isinstance(node, Import)]
    if ends:
        return max(ends)
    first = tree.body[0] if tree.body else None
    described = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) if first is not None and described else 0
