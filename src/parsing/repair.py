"""Undo what chat windows, templates and habits do to code on its way into a reply.

Every step acts only on its own trace. The steps follow each other, and the first result that parses is taken, so that
text which is right as it stands is never touched.
"""

# ruff: noqa: RUF001 - the characters that only look like ASCII are what this is about

import ast
import html
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from itertools import pairwise

from src.parsing.python import Module, Reader

_LINE_NUMBER = re.compile(r"\s*L?(\d+)(?:\s*[|:│┃]|[.)](?=\s)|(?=\s)|$)(.*)\Z")
_PROMPT = re.compile(r" {0,3}(?:>>>|In \[\d*\]:)(?: |$)")
_CONTINUATION = re.compile(r"\s*(?:\.\.\.|\.{3}:)(?: |$)")
_LANGUAGE_WORD = re.compile(
    r"\s*(?:copy code|(?:python|py)[23]?(?:copy code|[ \t]+copy code)?|copy|code|edit):?\s*\Z", re.I
)
_FILE_LINE = re.compile(
    r"\s*(?:#+\s*|\*\*|=+\s*|-+\s*)?(?:file(?:name)?:\s*)?[`'\"]?[\w./\\-]+\.pyi?[`'\"]?(?:\*\*)?\s*[:=-]*\s*\Z", re.I
)
_SHELL_LINE = re.compile(r"(?:!|%%?[a-z]\w*\b|\$ |pip3? install\b|python3? -m |conda install\b|cat\b.*<<).*\Z")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.I)
_ESCAPED_MARK = re.compile(r"\\([_*\[\]#<>`~+.-])")
_ESCAPED_CHARACTER = re.compile(r"\\(.)")
_CONTROL = {"n": "\n", "t": "\t", "r": ""}
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‘’‚‛′＇", "'"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
        **dict.fromkeys(
            "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\v",
            None,
        ),
        **dict.fromkeys("–—−‐‑", "-"),
        **dict(zip("（）［］｛｝：，；＝", "()[]{}:,;=", strict=True)),
        "×": "*",
        "÷": "/",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "…": "...",
    }
)


def module_in(text: str, reader: Reader, first_line: str = "") -> Module | SyntaxError:
    """The module that `text` holds once the traces of its journey are removed.

    `first_line` is code that stood on the fence's own line. The error, if any, is that of the text as it came.
    """
    first: SyntaxError | None = None
    for variant in _variants(text, first_line):
        found = reader.read(variant)
        if isinstance(found, Module):
            return _without_strays(found, reader)
        first = first or found
    return first or SyntaxError("no text")


def _variants(text: str, first_line: str) -> Iterator[str]:
    if first_line:
        yield f"{first_line}\n{text}"
    if not _entities_outside_strings(text):
        yield text
    current = text
    for step in _STEPS:
        changed = step(current)
        if changed != current:
            current = changed
            yield current
    yield _rest_dedented(current)


def without_first_words(text: str) -> str:
    """Drop lines above the code that name a language, a button or the file."""
    lines = text.strip("\n").split("\n")
    first = 0
    while first < len(lines) and (not lines[first].strip() or _is_label(lines[first])):
        first += 1
    return "\n".join(lines[first:])


def _is_label(line: str) -> bool:
    return _LANGUAGE_WORD.match(line) is not None or _is_file_line(line)


def _is_file_line(line: str) -> bool:
    return not line.lstrip().startswith("# ") and _FILE_LINE.match(line) is not None


def _rest_dedented(text: str) -> str:
    """Whoever copies code often starts at its first letter: that line alone then stands at the margin."""
    first, _, rest = text.strip("\n").partition("\n")
    opens_block = first.rstrip().endswith((":", "(", "[", "{", ",", "\\"))
    return text if opens_block or first.startswith((" ", "\t")) else f"{first}\n{textwrap.dedent(rest)}"


def _without_line_numbers(text: str) -> str:
    rows = [_LINE_NUMBER.match(line) for line in text.split("\n") if line.strip()]
    numbers = [int(row[1][:9]) for row in rows if row]
    if len(numbers) < 2 or len(numbers) != len(rows):
        return text
    if any(after <= before or after - before > 3 for before, after in pairwise(numbers)):
        return text
    return textwrap.dedent("\n".join(row[2] for row in rows if row))


def _without_prompts(text: str) -> str:
    lines = text.split("\n")
    if not any(_PROMPT.match(line) for line in lines):
        return text
    kept: list[str] = []
    for line in lines:
        mark = _PROMPT.match(line) or _CONTINUATION.match(line)
        if mark is not None:
            if _PROMPT.match(line) and kept and kept[-1].startswith((" ", "\t")):
                kept.append("")
            kept.append(line[mark.end() :])
    return "\n".join(kept)


def _without_quote_marks(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines or not all(re.match(r"\s*(?:>(?: |$)|\| )", line) for line in lines):
        return text
    return "\n".join(re.sub(r"^\s*[>|] ?", "", line) for line in text.split("\n"))


def _with_newlines(text: str) -> str:
    body = text.strip()
    if "\\n" not in body or body.count("\n") > body.count("\\n"):
        return text
    if body[:1] == body[-1:] == '"':
        body = body[1:-1]
    return _ESCAPED_CHARACTER.sub(
        lambda found: _CONTROL.get(found[1], found[1] if found[1] in "\"'\\" else found[0]), body
    )


def _without_shell_lines(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not _SHELL_LINE.match(line))


def _entities_outside_strings(text: str) -> bool:
    if not _ENTITY.search(text):
        return False
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.OP and token.string == "&" and _ENTITY.match(token.line, token.start[1]):
                return True
    except (tokenize.TokenError, SyntaxError):
        return True
    return False


def unescaped(text: str) -> str:
    """Drop the backslashes that Markdown asks for before its marks."""
    return _ESCAPED_MARK.sub(r"\1", text)


def _without_entities(text: str) -> str:
    return html.unescape(text) if _entities_outside_strings(text) else text


_STEPS: tuple[Callable[[str], str], ...] = (
    textwrap.dedent,
    _without_entities,
    without_first_words,
    textwrap.dedent,
    _without_line_numbers,
    _without_quote_marks,
    _without_prompts,
    _without_shell_lines,
    _with_newlines,
    unescaped,
    lambda text: text.translate(_LOOKALIKES),
)


def _without_strays(module: Module, reader: Reader) -> Module:
    """Words of prose that happen to be Python (`python`, `solution.py`, `Done`) are no part of the module."""
    body = module.tree.body
    first, last = 0, len(body)
    while first < last and _is_stray(body[first], module):
        first += 1
    while last > first and _is_stray(body[last - 1], module):
        last -= 1
    if (first, last) == (0, len(body)) or first == last:
        return module
    lines = module.text.split("\n")
    start = body[first - 1].end_lineno or 0 if first else 0
    end = body[last].lineno - 1 if last < len(body) else len(lines)
    found = reader.read("\n".join(lines[start:end]))
    return found if isinstance(found, Module) else module


def _is_stray(node: ast.stmt, module: Module) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is None and isinstance(node.target, ast.Name) and _unknown(node.annotation, module)
    if not isinstance(node, ast.Expr):
        return False
    parts = list(ast.walk(node.value))
    plain = (
        *(ast.Name, ast.Attribute, ast.BinOp, ast.operator, ast.expr_context, ast.Tuple, ast.List),
        *(ast.Compare, ast.cmpop, ast.Constant),
    )
    return all(isinstance(part, plain) for part in parts) and _unknown(node.value, module)


def _unknown(expression: ast.expr, module: Module) -> bool:
    names = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}
    return bool(names) and names <= module.needs
