"""What the tests of a suite lean on: helpers, fixtures, constants, set-up methods."""

import ast
from collections.abc import Collection, Iterator

from src.gates.source import FunctionNode, bound_names, found_tests, lines_of, parse

_ALWAYS = frozenset(
    {"setup_method", "teardown_method", "setup_class", "teardown_class", "setUp", "tearDown", "setUpClass"}
)
_Part = ast.stmt


def helper_sources(suite: str, names: Collection[str], known: str = "") -> str:
    """The source of what the tests called `names` use, directly or not, in the order of the suite; without what stands
    word for word in `known` (a class that the request gives, say; a single line may stand there by chance).
    """
    tree = parse(suite)
    if isinstance(tree, str):
        return ""
    chosen = [test for test in found_tests(tree) if test.name in names]
    tests = {id(test.function) for test in found_tests(tree)}
    owners = [test.owner for test in chosen if test.owner]
    blocks = [tree.body, *(owner.body for owner in owners)]
    parts = [part for block in blocks for part in block if id(part) not in tests and _is_helper(part)]
    waiting = [word for test in chosen for word in _words(test.function)]
    needed = [part for part in parts if _always(part)]
    waiting += [word for part in needed for word in _words(part)]
    seen: set[str] = set()
    while waiting:
        word = waiting.pop()
        if word not in seen:
            seen.add(word)
            new = [part for part in parts if word in bound_names(part) and part not in needed]
            needed += new
            waiting += [inner for part in new for inner in _words(part)]
    lines = lines_of(suite)
    ordered = sorted({id(part): part for part in needed}.values(), key=lambda part: part.lineno)
    sources = ["\n".join(lines[_first(part) - 1 : part.end_lineno]) for part in ordered]
    return "\n".join(source for source in sources if source not in known or "\n" not in source)


def _is_helper(part: _Part) -> bool:
    return isinstance(part, FunctionNode | ast.Assign | ast.AnnAssign | ast.ClassDef)


def _always(part: _Part) -> bool:
    """Whether it is at work without being named."""
    if not isinstance(part, FunctionNode):
        return False
    words = (
        word.arg for decorator in part.decorator_list for word in ast.walk(decorator) if isinstance(word, ast.keyword)
    )
    return part.name in _ALWAYS or "autouse" in words


def _first(part: _Part) -> int:
    decorators = part.decorator_list if isinstance(part, FunctionNode | ast.ClassDef) else []
    return min([part.lineno, *(decorator.lineno for decorator in decorators)])


def _words(part: ast.AST) -> Iterator[str]:
    """Names, parameters, attributes and short texts (`usefixtures("clock")`) within."""
    for node in ast.walk(part):
        match node:
            case ast.Name(id=word) | ast.arg(arg=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                if word.isidentifier():
                    yield word
