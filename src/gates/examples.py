"""Examples that stand in a request, read off it: a call and the value that it is to give.

Rather none than one misread: what is not plainly an example in one of the forms below is left alone.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from src.gates.literals import UNKNOWN, literal, same
from src.gates.source import parse_expression
from src.gates.tables import table_rows

MAX_LINES = 5000
"""Lines of a request that are looked through."""
MAX_LINE = 2000
"""Characters of the longest line that is read."""
MAX_SESSION = 40
"""Lines that one input of a Python session and its output have."""
MAX_EXAMPLES = 100
"""The most that are read off one request."""

_CALL = re.compile(r"(?<![\w.)\]])([A-Za-z_]\w*)\(")
_VERB = re.compile(
    r"[`*]*\s*(?:#\s*)?(?:(?:should|must|shall|will)\s+(?:return|give|be|equal)\b|returns?\b|gives?\b|evaluates\s+to\b|equals?\b"
    r"|is\b|===?>?|[-=]+>|[→➞⇒➜⟶])(?:\s+(?:exactly|the\s+\w+))?\s*:?\s*[`*]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w%°/*])")
_WORD = re.compile(r"(?:None|True|False)(?!\w)")
_QUOTED = re.compile(r"(?:[rbRB]{0,2})('(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")(?!['\"\w])")
_AFTER = re.compile(
    r"[`*]*\s*(?:$|#|[.;!](?:\s|$)|[.,;]?\s*\)\s*(?:$|[.,;])"
    r"|\(?\s*(?:because|since|as)\b|,?\s+(?:because|since|whereas|while|so|not)\b"
    r"|,?\s*(?:and\s+|but\s+)?[`*]*[A-Za-z_]\w*\()"
)
"""What may stand behind a value; anything else may change what it means."""

_LEADS_IN = re.compile(r"(?:^\s*(?:(?:[-*+•]|\d+[.)]|assert|for)\s+)?|[^\W\d]\s+|[,:;]\s*)(?:\*\*)?[`(]*$")
_CHANGES_THE_MEANING = re.compile(
    r"\b(?:not|no|never|nor|neither|without|wrong\w*|incorrect\w*|bug\w*|broken|bad|buggy|current\w*|actual\w*|now|today"
    r"|old|before|was|were|used|if|when|whenever|unless|after|once|until|while|where|with|given|suppose|assum\w*|first"
    r"|second|third|then|next|again|last|initial\w*|later|times?|instead|except|otherwise|either|or|than|may|might"
    r"|could|would|sometimes|random\w*|cannot|error|unlike|though|although|even|but|count\w*|let|setting)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.;!?]\s+")


@dataclass(frozen=True)
class Call:
    """A call of a function by its name, with every argument written out."""

    function: str
    """Its name."""
    arguments: tuple[Any, ...] = field(hash=False)
    """Values of the arguments, those given by a keyword last."""

    def is_same(self, other: "Call") -> bool:
        """Whether both ask the same."""
        return self.function == other.function and same(list(self.arguments), list(other.arguments))


@dataclass(frozen=True)
class Example:
    """A call that a request speaks of, and its value."""

    call: Call
    """What is called."""
    value: Any = field(hash=False)
    """What it is to give."""
    call_source: str
    """The call as it is written."""
    value_source: str
    """The value as it is written."""
    line: str
    """The line of the request that it was read from."""

    def __str__(self) -> str:
        return f"{self.call_source} → {self.value_source}"


def examples_of(request: str) -> list[Example]:
    """The examples that stand in a request, in order. A call that is given two values is left out with both."""
    lines = [line if len(line) <= MAX_LINE else "" for line in request.splitlines()[:MAX_LINES]]
    found: list[Example] = []
    for example in [*_in_sessions(lines), *_in_prose(lines), *_in_tables(lines)][:MAX_EXAMPLES]:
        known = [other for other in found if other.call.is_same(example.call)]
        if not any(same(other.value, example.value) for other in known):
            found.append(example)
    return [one for one in found if not any(one is not other and one.call.is_same(other.call) for other in found)]


def _example(call_source: str, value_source: str, line: str) -> Iterator[Example]:
    """The example that two pieces of source make; nothing when they make none."""
    node, value = parse_expression(call_source), parse_expression(value_source)
    call = call_in(node) if node is not None else None
    given = UNKNOWN if value is None or _is_in_brackets_for_nothing(value_source, value) else literal(value)
    if call is not None and given is not UNKNOWN:
        yield Example(call, given, call_source.strip(), value_source.strip(), " ".join(line.split())[:200])


def _is_in_brackets_for_nothing(source: str, value: ast.expr) -> bool:
    """Whether it may have been meant as a tuple of one: `("Venus")`."""
    return source.lstrip().startswith("(") and not isinstance(value, ast.Tuple)


def call_in(node: ast.expr) -> Call | None:
    """The call that an expression is, when it is one of a plain name with one argument at least, all written out."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    arguments = [literal(argument) for argument in [*node.args, *(word.value for word in node.keywords if word.arg)]]
    starred = any(word.arg is None for word in node.keywords)
    if not arguments or starred or any(argument is UNKNOWN for argument in arguments):
        return None
    return Call(node.func.id, tuple(arguments))


def _in_sessions(lines: list[str]) -> Iterator[Example]:
    """`>>> f(1)` and the value below it; `>>> f(1) == 2` and nothing, or `True`, below it."""
    for number, line in enumerate(lines):
        if line.lstrip().startswith(">>> "):
            rest = lines[number + 1 : number + MAX_SESSION]
            more = list(takewhile(_goes_on, rest))
            shown = list(takewhile(_is_shown, rest[len(more) :]))
            typed = "\n".join([line.lstrip()[4:], *(text.lstrip()[3:] for text in more)])
            yield from _session_example(typed, "\n".join(shown), line)


def _goes_on(line: str) -> bool:
    return line.lstrip().startswith("...")


def _is_shown(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith((">>>", "```", '"""', "'''"))


def _session_example(typed: str, shown: str, line: str) -> Iterator[Example]:
    node = parse_expression(typed)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        if shown.strip() in ("", "True"):
            whole = f"({typed}\n)"
            sides = [ast.get_source_segment(whole, side) or "" for side in (node.left, node.comparators[0])]
            yield from _example(sides[0], sides[1], line)
    elif shown.strip():
        yield from _example(typed, shown.strip(), line)


def _in_prose(lines: list[str]) -> Iterator[Example]:
    """ "`f(1)` returns `2`", and the same with other words or an arrow."""
    above = ""
    for line in lines:
        if not line.lstrip().startswith(">>>"):
            yield from _in_line(line, above)
        if line.strip():
            above = line if line.rstrip(" *`_").endswith(":") or line.lstrip().startswith("#") else ""


def _in_line(line: str, above: str) -> Iterator[Example]:
    read_to = 0
    for match in _CALL.finditer(line):
        if match.start() < read_to:
            continue
        end = _closing(line, match.end() - 1)
        verb = _VERB.match(line, end) if end else None
        value_end = _value_end(line, verb.end()) if verb else 0
        if not verb or not value_end or not _AFTER.match(line, value_end):
            continue
        before = _SENTENCE_END.split(line[read_to : match.start()])[-1]
        if _is_plain(before, above):
            yield from _unless_a_signature(line[match.start() : end], line[verb.end() : value_end], line)
            read_to = value_end


def _unless_a_signature(call: str, value: str, line: str) -> Iterator[Example]:
    if not line.lstrip().startswith(("def ", "class ", "async ")):
        yield from _example(call, value, line)


def _is_plain(before: str, above: str) -> bool:
    """Whether nothing in front of a call takes it into a larger expression or gives it another meaning."""
    leads_in = not before or _LEADS_IN.search(before)
    return bool(leads_in) and not _CHANGES_THE_MEANING.search(before) and not _CHANGES_THE_MEANING.search(above)


def _value_end(line: str, start: int) -> int:
    """Where the literal that starts at `start` ends; 0 when there is none."""
    for form in (_NUMBER, _WORD, _QUOTED):
        if match := form.match(line, start):
            return match.end()
    return _closing(line, start) if line[start : start + 1] in {"[", "(", "{"} else 0


def _closing(text: str, start: int) -> int:
    """The place behind the bracket that closes the one at `start`; 0 when none does."""
    closes, waiting, place = {"(": ")", "[": "]", "{": "}"}, [], start
    while place < len(text):
        character = text[place]
        if character in "'\"":
            quoted = _QUOTED.match(text, place)
            if quoted is None:
                return 0
            place = quoted.end()
            continue
        if character in closes:
            waiting.append(closes[character])
        elif character in ")]}":
            if waiting.pop() != character:
                return 0
            if not waiting:
                return place + 1
        place += 1
    return 0


def _in_tables(lines: list[str]) -> Iterator[Example]:
    for row in table_rows(lines):
        yield from _example(row.call, row.value, row.line)


def examples_for(request: str, functions: Iterable[str]) -> list[Example]:
    """Those of the examples of a request that call one of `functions`."""
    wanted = set(functions)
    return [example for example in examples_of(request) if example.call.function in wanted]
