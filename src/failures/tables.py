"""Tables of cases, cut down to the rows that a failure is about."""

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from src.gates.definitions import last_name
from src.gates.source import found_tests, lines_of, parse
from src.text import count


def with_rows(suite: str, cases: Mapping[str, int], wanted: Mapping[str, Collection[int]]) -> str:
    """The suite with only the `wanted` rows (counted from 0) of the tables that its tests are parametrised with.

    `cases`: how many cases of each test ran; where that is not the number of rows, nothing is known of which is which,
    and the table stays whole. So does one that something else uses, or that has two rows in one line. A suite that does
    not parse is left as it is.
    """
    tree = parse(suite)
    if isinstance(tree, str):
        return suite
    lines = lines_of(suite)
    for name, table in _tables(tree):
        if len(table.elts) == cases.get(name, 0) and _one_a_line(table):
            _leave_out(table, wanted.get(name, ()), lines)
    return "\n".join(line for line in lines if line is not _GONE)


_GONE = "\x00 a line that is left out"


def _tables(tree: ast.Module) -> Iterator[tuple[str, ast.List | ast.Tuple]]:
    """Tests with the one table that they alone are parametrised with."""
    named: dict[str, ast.expr] = {}
    used: Counter[str] = Counter()
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        own = {target.id for target in targets if isinstance(target, ast.Name)}
        loaded = [
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        ]
        used.update(name for name in loaded if name not in own)  # a table that is made of itself has as many rows
        if isinstance(statement, ast.Assign):
            named.update((name, statement.value) for name in own if name not in named)
    for test in found_tests(tree):
        rows = [rows for decorator in test.function.decorator_list for rows in _rows_of(decorator)]
        for given in rows if len(rows) == 1 else ():
            table = given
            if isinstance(given, ast.Name):
                table = named.get(given.id, given) if used[given.id] == 1 else given
            if isinstance(table, ast.List | ast.Tuple):
                yield test.name, table


def _rows_of(decorator: ast.expr) -> Iterator[ast.expr]:
    if isinstance(decorator, ast.Call) and last_name(decorator.func) == "parametrize":
        yield from decorator.args[1:2]


def _one_a_line(table: ast.List | ast.Tuple) -> bool:
    borders = [table.lineno, *(line for row in table.elts for line in (row.lineno, row.end_lineno or 0))]
    starts, ends = [*borders[1::2], table.end_lineno or 0], borders[0::2]
    return all(start > end for start, end in zip(starts, ends, strict=True))


def _leave_out(table: ast.List | ast.Tuple, wanted: Collection[int], lines: list[str]) -> None:
    rows = [row for number, row in enumerate(table.elts) if number not in wanted]
    if not rows:
        return
    for row in rows:
        lines[row.lineno - 1 : row.end_lineno] = [_GONE] * ((row.end_lineno or row.lineno) - row.lineno + 1)
    last = rows[-1].end_lineno or rows[-1].lineno
    lines[last - 1] = f"{' ' * table.elts[0].col_offset}# … {count(len(rows), 'more row')}"
