"""Wrong candidates, as a debugger might send them: a module with one small thing changed."""

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import islice

from sandbox import TestReport
from src.failures.signature import signature
from src.gates.fingerprint import fingerprint
from src.gates.source import parse

BATCH = 6
MOST_TRIES = 36
"""Variants that are run for one task."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


def variants(code: str) -> Iterator[str]:
    """`code` with one comparison, operator, constant, condition, result or order of arguments changed, one each."""
    tree = parse(code)
    places = 0 if isinstance(tree, str) else len(list(ast.walk(tree)))
    for place in range(places):
        changed = deepcopy(tree)
        assert isinstance(changed, ast.Module)
        if _change(list(ast.walk(changed))[place]):
            yield ast.unparse(ast.fix_missing_locations(changed)) + "\n"


def failing(
    sources: Sequence[str],
    number: int,
    seed: int,
    measure: Callable[[list[str]], list[TestReport]],
    seen: Sequence[TestReport] = (),
) -> list[str]:
    """`number` variants of `sources` that fail in ways of their own, all unlike `seen`; fewer where no more are found.

    Which ones is chance, the same for the same `seed`: nothing is picked by how much or how little a failure says.
    """
    known, ways = {fingerprint(source) for source in sources}, {signature(report) for report in seen}
    found: list[str] = []
    codes = list(islice(_candidates(sources, known, random.Random(seed)), MOST_TRIES))
    for first in range(0, len(codes), BATCH):
        batch = codes[first : first + BATCH]
        for code, report in zip(batch, measure(batch), strict=True):
            way = signature(report)
            if report.status == "failed" and way not in ways and len(found) < number:
                ways.add(way)
                found.append(code)
        if len(found) == number:
            break
    return found


def _candidates(sources: Sequence[str], known: set[str], chance: random.Random) -> Iterator[str]:
    """Variants in some order, and when there are no more of them, their variants; without what is `known`."""
    pool = {fingerprint(code): code for source in sources for code in variants(source)}
    codes = [pool[digest] for digest in pool if digest not in known]
    chance.shuffle(codes)
    yield from codes
    if codes:
        yield from _candidates(codes, known | set(pool), chance)


def _change(node: ast.AST) -> bool:
    """Change one node; whether there was something to change."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARED:
            node.ops = [_COMPARED[type(operator)]()]
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _COMPUTED:
            node.op = _COMPUTED[type(operator)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.Call(args=[first, second]) if not isinstance(first, ast.Starred):
            node.args = [second, first]
        case ast.If(test=test) | ast.While(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.expr()) | ast.Yield(value=ast.expr()):
            node.value = ast.Constant(None)
        case _:
            return False
    return True
