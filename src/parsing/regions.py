"""Code that stands in running text without any mark around it."""

import re
import textwrap
from collections.abc import Iterator

from src.parsing.markdown import Block
from src.parsing.python import Module, Reader
from src.parsing.repair import module_in

_MAX_REGIONS = 40
_MAX_CUTS = 12
_START = re.compile(
    r"([ \t]*)(?:import [\w., ]+$|from [.\w]+ import\b|(?:async )?def \w|class \w+\s*[:(]|@\w"
    r"|try:\s*$|[A-Za-z_]\w*(?:, *\w+)* *(?::[^=\n]+)?= ?\S|\"\"\")"
)
_CODE = re.compile(
    r"(?:[ \t]|(?:def|class|import|from|if|elif|else|for|while|with|try|except|finally|return|raise|async|await"
    r"|assert|del|global|nonlocal|pass|break|continue|yield|lambda|match|case|print)\b"
    r"|@\w|[\w.\[\]'\"]+ *(?:[-+*/|&%]|//|\*\*)?= |\w+\(|[)\]}]|\"\"\"|''')"
)
_MARKER = re.compile(r"[ \t>]*(?:```|~~~)")


def regions(text: str, reader: Reader) -> list[Block]:
    """Runs of lines that read as Python modules, prose before, between and after them left out.

    Code is only ever cut where a line of prose begins: what follows a syntax error in the code itself is never dropped.
    """
    lines = text.split("\n")
    found: list[Block] = []
    at = 0
    while at < len(lines) and len(found) < _MAX_REGIONS:
        start = _START.match(lines[at])
        region = _region(lines, at, len(start[1]), reader) if start else None
        if region is not None:
            found.append(region)
        at = region.end if region is not None else _next_paragraph(lines, at, start is not None)
    return found


def _next_paragraph(lines: list[str], at: int, was_code: bool) -> int:
    """After code that does not parse nothing of its block may be taken: go on behind the next line of prose."""
    at += 1
    while was_code and at < len(lines) and not _is_prose(lines[at]):
        at += 1
    return at


def _region(lines: list[str], start: int, width: int, reader: Reader) -> Block | None:
    taken = list(_same_block(lines[start:], width))
    for _ in range(_MAX_CUTS):
        source = textwrap.dedent("\n".join(taken)) if width else "\n".join(taken)
        found = reader.read(source)
        if isinstance(found, Module):
            clean = module_in(source, reader)
            text = clean.text if isinstance(clean, Module) else found.text
            return Block(text, start=start, end=start + max(len(taken), 1))
        bad = (found.lineno or 0) - 1 + _leading_blanks(taken)
        if not 0 < bad < len(taken) or not _is_prose(taken[bad][width:]):
            return None
        taken = taken[:bad]
    return None


def _leading_blanks(lines: list[str]) -> int:
    return next((n for n, line in enumerate(lines) if line.strip()), 0)


def _same_block(lines: list[str], width: int) -> Iterator[str]:
    for line in lines:
        if width and line.strip() and len(line) - len(line.lstrip()) < width:
            return
        yield line


def _is_prose(line: str) -> bool:
    return bool(_MARKER.match(line)) or bool(line.strip() and not _CODE.match(line))
