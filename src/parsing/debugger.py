"""The diagnosis and the patched module in a reply of the debugger, or its claim that tests are wrong."""

from collections.abc import Collection
from dataclasses import dataclass

from src.parsing.choice import Candidate
from src.parsing.claim import Claim, claim_in
from src.parsing.code import code_in, public_names
from src.parsing.errors import FormatError
from src.parsing.markdown import fences
from src.parsing.python import Reader
from src.parsing.sections import Part, Section, keyed, sections, without_lines
from src.parsing.text import prepared
from src.reply import Reply
from src.text import clean

_MAX_SECTIONS = 5

MAX_DIAGNOSIS = 4_000
"""Longest diagnosis that is kept, in characters."""

_PARTS: tuple[Part, ...] = ("diagnosis", "code", "fault", "disputed")


@dataclass(frozen=True)
class DebuggerReply:
    """What the debugger delivers."""

    diagnosis: str
    """Why the tests failed, in the model's words; empty when it said nothing."""
    code: str
    """Source of the whole patched module; empty when the tests are disputed."""
    claim: Claim | None = None
    """The claim that tests are wrong; `None` when the fault is in the code."""


def parse_debugger(reply: Reply, names: Collection[str] = (), previous_code: str = "") -> DebuggerReply:
    """The diagnosis and the patched module; or the claim that tests are wrong, whatever code is sent along.

    `names` is what the module must define at top level; without it the public names of `previous_code` count. Diffs are
    applied to `previous_code`. Raises `FormatError` when there is no whole module, or when it is the same as before.
    """
    text = prepared(reply)
    named = sections(text, _PARTS)
    if (claim := claim_in(text)) is not None:
        return DebuggerReply(_said(text, named)[:MAX_DIAGNOSIS], "", claim)
    reader = Reader()
    wanted = frozenset(names) or public_names(previous_code, reader)
    candidate = _patched(text, named, wanted, reader, previous_code)
    return DebuggerReply(_diagnosis(text, named, candidate), candidate.module.text)


def _patched(text: str, named: list[Section], wanted: frozenset[str], reader: Reader, previous: str) -> Candidate:
    for section in [section for section in reversed(named) if section.part == "code"][:_MAX_SECTIONS]:
        try:
            return code_in(section.text, wanted, reader, previous)
        except FormatError as error:
            if error.kind not in ("no_code", "empty"):
                raise
    return code_in(text, wanted, reader, previous)


def _diagnosis(text: str, named: list[Section], candidate: Candidate) -> str:
    said = _said(text, named)
    if not said and text.strip()[:1] not in ("{", "[") and text.strip() != candidate.module.text.strip():
        blocks = fences(text, lambda _: False)
        spans = [(block.start, block.end) for block in blocks] or [(candidate.block.start, candidate.block.end)]
        spans += [(section.heading, section.end if section.part == "fault" else section.start) for section in named]
        said = clean(without_lines(text, spans)).strip()
    return said[:MAX_DIAGNOSIS]


def _said(text: str, named: list[Section]) -> str:
    """What stands under the heading of the diagnosis."""
    found = [section.text for section in named if section.part == "diagnosis"]
    if not found:
        found = [part for name, part in keyed(text).items() if name == "diagnosis"]
    return clean("\n\n".join(part.strip() for part in found)).strip()
