"""Is there code where the suite will look for some?"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from src.gates.definitions import FUNCTIONS, Definition, bases, body_of, decorators

_WHOLE = r"(?:this|me|it|here|later|logic|body|the (?:\w+ )?(?:function|method|class|logic|body|code|rest))"
_LEFT_OUT = re.compile(
    rf"(?:todo|fixme|xxx)\W*(?:implement|write|fill in|complete|finish)(?: {_WHOLE})*"
    rf"|(?:implement|write|put|insert|add) (?:your|the) (?:code|logic|implementation)(?: {_WHOLE})?"
    r"|(?:(?:your|the) (?:\w+ )?)?(?:code|logic|implementation) (?:goes |comes |follows )?here"
    r"|(?:the )?(?:existing|previous|original|remaining) (?:code|logic|implementation)"
    r"(?: (?:(?:remains|stays|is) )?(?:here|the same|unchanged|as before|as above|omitted))?"
    r"|[\w ]*\bomitted for brevity|same (?:code )?as before|unchanged (?:code|from before)"
    r"|(?:the )?rest of (?:the )?(?:code|class|module|function|implementation|methods)\b[\w ]*"
    r"|(?:code|implementation|everything else|the rest) (?:remains |stays |is )?(?:the same|unchanged|omitted)\b[\w ]*",
    re.I,
)


def placeholders(code: str, defined: dict[str, Definition], used: frozenset[str], touched: frozenset[str]) -> list[str]:
    """One reason for each name in `used` that holds a place in place of code.

    `touched`: names of attributes that the suite uses, by which a method is known to be called.
    """
    notes = list(_notes(code))
    return [reason for name in sorted(used & defined.keys()) for reason in _within(defined[name], touched, notes)]


def _within(node: Definition, touched: frozenset[str], notes: list[tuple[int, str]]) -> Iterator[str]:
    for line, note in notes:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            yield f"`{node.name}` is not written out (line {line}: `{note}`); send it whole."
            return
    if isinstance(node, FUNCTIONS):
        if _is_empty(node, also_pass=True):
            yield f"`{node.name}` has no body (line {node.lineno}); write it out."
    elif not bases(node) & {"Protocol", "ABC"} and not node.keywords:
        for method in node.body:
            if isinstance(method, FUNCTIONS) and method.name in touched and _is_empty(method, also_pass=False):
                yield f"`{node.name}.{method.name}` has no body (line {method.lineno}); write it out."


def _is_empty(node: ast.FunctionDef | ast.AsyncFunctionDef, *, also_pass: bool) -> bool:
    """Whether nothing but a placeholder stands there. A method that does nothing (`pass`) may be meant."""
    if any("abstract" in name or name == "overload" for name in decorators(node)):
        return False
    body = body_of(node)
    return all(_is_placeholder(part) or (also_pass and isinstance(part, ast.Pass)) for part in body) and (
        also_pass or bool(body)
    )


def _is_placeholder(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and node.value.value is ...
    if not isinstance(node, ast.Raise):
        return False
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _notes(code: str) -> Iterator[tuple[int, str]]:
    """Comments that stand for code, with their lines."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            said = token.string.strip("# \t.…-=()[]<>")
            if token.type == tokenize.COMMENT and _LEFT_OUT.fullmatch(said):
                yield token.start[0], token.string[:80]
    except (tokenize.TokenError, SyntaxError):
        return
