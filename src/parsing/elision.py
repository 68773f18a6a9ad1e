"""Does a module stand for more code than it shows?"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from src.parsing.python import Function, Module, top_level

_DOTS = r"(?:\.{3,}|…)"
_WHAT = (
    r"(?:rest|existing|unchanged|same|remain\w*|other|previous|omitted|before|implementation|codes?|methods?|functions?"
    r"|logic|class|imports?|tests?|cases?|more|above|here|etc|your|snip\w*)"
)
_DOTTED = re.compile(
    rf"{_DOTS}(?:\W*(?:(?:the|all|any|and|keep|with|some|plus|insert|include)\W+){{0,2}}\b{_WHAT}\b.*)?\W*"
    rf"|\W*{_WHAT}\b[^:(]*{_DOTS}\W*",
    re.I,
)
_THING = (
    r"(?:code|class|module|file|program|script|functions?|methods?|implementations?|imports?|definitions?|logic|body)"
)
_SAID = re.compile(
    r"(?:"
    rf"(?:the )?(?:rest|remainder) of (?:the |this |your |my )?(?:\w+ )?{_THING}\b.*"
    rf"|(?:all |the )*(?:other|remaining|existing|previous|original|same) (?:\w+ )?{_THING}"
    r" (?:here|unchanged|(?:go|goes|remains?|stays?|as|is|are|omitted|from)\b.*)"
    rf"|(?:{_THING}|everything(?: else)?|rest) (?:remains?|stays?|is|are|as) (?:exactly )?"
    r"(?:the same|unchanged|as before|as is|omitted)\b.*"
    r"|(?:same|unchanged|identical|as) (?:as |from )?(?:before|above|previous(?:ly)?|in the original)\b.*"
    r"|unchanged|omitted(?: for brevity)?|no changes?(?: needed)?(?: here| below| above)?|snip(?:ped)?"
    rf"|(?:insert |add |put |write |todo:? )?(?:your|the|actual|real|more) (?:\w+ )?{_THING} (?:goes )?here"
    r"|(?:todo:? ?)?implement(?:ation)? (?:this|here|me|the rest|goes here|omitted)(?: (?:function|method|class|here))?"
    r")",
    re.I,
)
_NOUN = re.compile(rf"(?:all |the )*(?:other|remaining|existing|previous|rest of the) (?:\w+ )?{_THING}", re.I)


def elision(module: Module) -> str | None:
    """What stands for missing code, as one line to quote; `None` when the module looks whole."""
    lines = module.text.split("\n")
    for row, line, comment in _comments(module.text):
        if not comment.strip("#.… \t") and any(near.lstrip().startswith("#") for near in (lines[row - 2], lines[row])):
            continue  # dots inside a longer comment
        if _stands_for_code(comment) or (_NOUN.fullmatch(_bare(comment)) and _ends_block(module.text, row, line)):
            return comment
    for node in ast.walk(module.tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and isinstance(
            body, list
        ):
            rest = [part for part in body if not _is_text(part)]
            if any(_is_dots(part) for part in rest) and (len(rest) > 1 or isinstance(node, ast.Module)):
                return "..."
    return None


def _comments(text: str) -> Iterator[tuple[int, str, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip():
                yield token.start[0], token.line, token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _bare(comment: str) -> str:
    return comment.strip("#.…-=<>()[]{}*~ \t:")


def _stands_for_code(comment: str) -> bool:
    words = comment.lstrip("# \t([<{-=*").rstrip(" \t)]>}-=*#")
    return _DOTTED.fullmatch(words) is not None or _SAID.fullmatch(_bare(comment)) is not None


def _ends_block(text: str, row: int, line: str) -> bool:
    width = len(line) - len(line.lstrip())
    after = next((later for later in text.split("\n")[row:] if later.strip()), "")
    return not after or len(after) - len(after.lstrip()) < width


def stubs(module: Module) -> frozenset[str]:
    """Functions at top level, and classes, that hold signatures only."""
    found = set()
    for node in top_level(module.tree):
        if isinstance(node, Function) and _is_stub(node):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef) and not _is_interface(node):
            methods = [part for part in node.body if isinstance(part, Function)]
            if methods and all(_is_stub(method) for method in methods):
                found.add(node.name)
    return frozenset(found)


def only_stubs(module: Module) -> bool:
    """Whether every function and every class with methods is a signature without a body."""
    empty = stubs(module)
    whole = {
        node.name
        for node in top_level(module.tree)
        if (isinstance(node, Function) and node.name not in empty)
        or (
            isinstance(node, ast.ClassDef)
            and node.name not in empty
            and (any(isinstance(part, Function) for part in node.body))
        )
    }
    return bool(empty) and not whole


def _is_interface(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2].startswith(("Protocol", "ABC")) for base in node.bases)


def _is_stub(node: ast.stmt) -> bool:
    if not isinstance(node, Function) or any("overload" in ast.unparse(d) for d in node.decorator_list):
        return False
    body = [part for part in node.body if not _is_text(part)]
    return all(isinstance(part, ast.Pass) or _is_dots(part) or _raises_not_implemented(part) for part in body)


def _raises_not_implemented(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) and node.exc is not None and "NotImplemented" in ast.unparse(node.exc)


def _is_dots(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
