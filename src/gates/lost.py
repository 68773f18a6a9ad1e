"""Failures that a suite would not notice: an error so wide that any fits, an `except` that swallows an assertion."""

import ast
from collections.abc import Iterator

from src.gates.outline import Outline, shown
from src.gates.reach import alive
from src.gates.source import Block, name_of
from src.gates.tautologies import claim_of

WIDE = {"Exception", "BaseException"}
SWALLOWING = {*WIDE, "AssertionError"}
RAISES = {"raises", "assertRaises", "assertRaisesRegex"}
MATCHES_ALL = {"", ".*", ".+", "^.*$", "(?s).*"}
TELLING = {"print", "logging.info", "logging.debug", "logging.warning", "logging.error", "logging.exception"}


def lost_failures(outline: Outline) -> Iterator[str]:
    """A reason for each place where a failure would go unnoticed."""
    for scope in outline.functions:
        used = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for node in alive(scope.body):
            if isinstance(node, ast.With | ast.AsyncWith):
                yield from _with(node, used, outline)
            elif isinstance(node, ast.Try | ast.TryStar):
                yield from _try(node, outline)
            elif isinstance(node, ast.Call) and len(node.args) > 1 and _is_wide(node, outline):
                yield _too_wide(node, outline)


def _with(node: ast.With | ast.AsyncWith, used: set[str], outline: Outline) -> Iterator[str]:
    for item in node.items:
        call = item.context_expr
        if not isinstance(call, ast.Call):
            continue
        looked_at = isinstance(item.optional_vars, ast.Name) and item.optional_vars.id in used
        if not looked_at and len(call.args) < 2 and _is_wide(call, outline):
            yield _too_wide(call, outline)
        elif outline.meaning(call.func) == "contextlib.suppress" and _names(call.args) & SWALLOWING:
            line = _assertion_in(node.body)
            if line:
                yield _swallowed(line, node, f"`{shown(call)}`", outline)


def _try(node: ast.Try | ast.TryStar, outline: Outline) -> Iterator[str]:
    line = _assertion_in(node.body)
    if not line:
        return
    if any(isinstance(inner, ast.Return) for inner in alive(node.finalbody)):
        yield _swallowed(line, node, "the `return` in `finally`", outline)
    for handler in node.handlers:
        if handler.type is not None and not _names([handler.type]) & SWALLOWING:
            continue
        if all(_does_nothing(statement, outline) for statement in handler.body):
            yield _swallowed(line, handler, "the `except`", outline)
        return  # the first that fits is the one that runs


def _is_wide(call: ast.Call, outline: Outline) -> bool:
    name = outline.meaning(call.func).rpartition(".")[2]
    if name not in RAISES:
        return False
    given = call.args[:1] or [word.value for word in call.keywords if word.arg == "expected_exception"]
    if not _names(given) & WIDE:
        return False
    texts = [word.value for word in call.keywords if word.arg in {"match", "check"}]
    texts += call.args[1:2] if name == "assertRaisesRegex" else []
    return all(isinstance(text, ast.Constant) and text.value in {*MATCHES_ALL, None} for text in texts)


def _too_wide(call: ast.Call, outline: Outline) -> str:
    return (
        f"{outline.place(call)}: any error satisfies `{shown(call)}`, even one of code that is not written yet; "
        "name the error that the request demands (`ValueError`), or narrow it with `match=`."
    )


def _swallowed(line: int, node: ast.AST, by: str, outline: Outline) -> str:
    return (
        f"{outline.place(node)}: {by} swallows the assertion on line {line}, so that it cannot fail; "
        "assert outside of it, or expect the error with `pytest.raises`."
    )


def _names(kinds: list[ast.expr]) -> set[str]:
    every = [item for kind in kinds for item in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]
    return {name_of(item) for item in every}


def _assertion_in(block: Block) -> int:
    """Line of the first assertion in `block`; 0 when there is none."""
    for node in alive(block):
        if isinstance(node, ast.Assert):
            return node.lineno
        if isinstance(node, ast.Call) and (claim_of(node) is not None or name_of(node.func) == "fail"):
            return node.lineno
    return 0


def _does_nothing(statement: ast.stmt, outline: Outline) -> bool:
    """Whether a statement lets the matter rest: neither fails nor notes the error for a later assertion."""
    if isinstance(statement, ast.Pass | ast.Continue | ast.Break):
        return True
    if isinstance(statement, ast.Return):
        return statement.value is None or isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Expr):
        call = statement.value
        return isinstance(call, ast.Constant) or (isinstance(call, ast.Call) and outline.meaning(call.func) in TELLING)
    return False
