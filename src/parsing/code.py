"""The module in a reply of the developer or the debugger."""

import re
from collections.abc import Collection

from src.parsing.choice import NO_CODE, Candidate, candidates, choose, degenerate, most_telling
from src.parsing.errors import FormatError
from src.parsing.python import Module, Reader
from src.parsing.sources import places
from src.parsing.text import prepared
from src.reply import Reply

_REFUSAL = re.compile(
    r"\b(?:(?:ca(?:n.?t|nnot)|can not|won.?t|will not|unable to|not able to|not comfortable|not allowed to|against)\b"
    r"|(?:must |have to )?decline\b|refuse to|i(?:.?m| am) (?:sorry|afraid)|as an ai\b|apologi[sz]e)",
    re.I,
)


def parse_developer(reply: Reply, names: Collection[str] = ()) -> str:
    """The module that the developer wrote, as source text.

    `names` is what it must define at top level. Raises `FormatError` when the reply holds no whole module.
    """
    return code_in(prepared(reply), frozenset(names), Reader()).module.text


def code_in(text: str, names: frozenset[str], reader: Reader, previous: str = "") -> Candidate:
    """The candidate in `text`; raises the most telling `FormatError` when there is none."""
    errors: list[FormatError] = []
    for blocks in places(text, reader):
        found, broken = candidates(blocks, reader, previous)
        errors.extend(broken)
        try:
            return choose(found, names, reader, previous)
        except FormatError as error:
            errors.append(error)
    raise declined(most_telling(errors), text, FormatError("no_code", NO_CODE))


def declined(error: FormatError, text: str, nothing: FormatError) -> FormatError:
    """`error`, or a better one when nothing was found because the model refused, or lost itself in a loop.

    `nothing` is the error for a reply in which nothing was found.
    """
    if error.kind != "no_code" and error.kind != nothing.kind:
        return error
    if degenerate(text):
        return FormatError("degenerate", f"The reply repeats itself over and over. {nothing.reason}")
    if _REFUSAL.search(text[:600]):
        return FormatError("refusal", f"The reply declines the task. {nothing.reason}")
    return nothing if error.kind == "no_code" and nothing.kind != "no_code" else error


def public_names(previous: str, reader: Reader) -> frozenset[str]:
    """What a patched module must go on defining when nobody said which names matter."""
    module = reader.read(previous) if previous.strip() else None
    if not isinstance(module, Module):
        return frozenset()
    return frozenset(name for name in module.functions - module.tests if not name.startswith("_"))
