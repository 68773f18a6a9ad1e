"""What the code of a function can come to: statements that are reached, names that lead on to other names."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from src.gates.source import Block, FunctionNode, blocks, expressions

ENDS = ast.Return | ast.Raise | ast.Continue | ast.Break
"""What stands behind one of these in the same block is never reached."""


def alive(block: Block) -> Iterator[ast.AST]:
    """Nodes that run when `block` does: neither bodies of functions defined in it nor what is plainly never reached."""
    for statement in block:
        yield statement
        if isinstance(statement, FunctionNode | ast.ClassDef):
            for decorator in statement.decorator_list:
                yield from ast.walk(decorator)
            continue
        for expression in expressions(statement):
            yield from ast.walk(expression)
        for inner in _live_blocks(statement):
            yield from alive(inner)
        if isinstance(statement, ENDS):
            return


def is_empty(node: ast.expr) -> bool:
    """Whether a loop over `node` plainly makes no step."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return not node.elts
    if isinstance(node, ast.Dict):
        return not node.keys
    if isinstance(node, ast.Constant):
        return node.value in ("", b"")
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _is_empty_call(node, node.func.id)


def mentions(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names that `nodes` may lead to: names, attributes, parameters (fixtures), texts that begin with one."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= 200:
            yield node.value.partition(".")[0]


def leading_to(goals: Iterable[str], edges: Mapping[str, Iterable[str]]) -> set[str]:
    """`goals`, and every name from which an edge leads on to one of them, over any number of names."""
    back: defaultdict[str, list[str]] = defaultdict(list)
    for name, targets in edges.items():
        for target in targets:
            back[target].append(name)
    found, left = set(goals), list(goals)
    while left:
        for name in back[left.pop()]:
            if name not in found:
                found.add(name)
                left.append(name)
    return found


def _live_blocks(statement: ast.stmt) -> Iterator[Block]:
    if isinstance(statement, ast.If | ast.While) and isinstance(statement.test, ast.Constant):
        yield statement.body if statement.test.value else statement.orelse
    elif isinstance(statement, ast.For) and is_empty(statement.iter):
        yield statement.orelse
    else:
        yield from blocks(statement)


def _is_empty_call(call: ast.Call, name: str) -> bool:
    if name == "range" and len(call.args) == 1:
        bound = call.args[0]
        return isinstance(bound, ast.Constant) and bound.value == 0
    return name in {"list", "tuple", "set", "dict"} and not call.args and not call.keywords
