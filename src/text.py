"""Foreign text made harmless before a person reads it: requests, replies, test output, names of files."""

import re
import unicodedata
from difflib import unified_diff

_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor movement, modes
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, device strings
    r"|\x1b[ -/]*[0-~]"  # resets, character sets
)
"""What programs send to steer a terminal; removed whole, or its tail would be left as text."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
_STANDS_ALONE = re.compile(r"\s*[#|]| {4}|\t")
"""Headings, rows of tables, indented code."""

_BEGINS_A_LINE = re.compile(rf"{_STANDS_ALONE.pattern}|\s*(?:[-*+>]\s|\d+[.)]\s|\*\*|[=-]{{3,}})")
"""What is not a paragraph going on: the above, list items, quotes, bold beginnings, rulers."""

_LINE_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
"""Invisible, but needed to write some languages and emoji."""

_UNPRINTABLE = {"Cc", "Cf", "Cs"}
"""Control characters, invisible ones (those that reverse the direction of text among them), halves of pairs."""


def clean(text: str) -> str:
    """`text` with only characters that print, line feeds kept; what would be invisible shows as U+FFFD.

    Reversed and hidden characters stay noticeable on purpose: they are how code is made to look like other code.
    """
    lines = _LINE_BREAKS.sub("\n", _SEQUENCES.sub("", text)).expandtabs(4)
    return lines if lines.isascii() and _is_plain(lines) else "".join(map(_shown, lines))


def one_line(text: str, width: int = 160) -> str:
    """`text` as a single harmless line of at most `width` characters."""
    line = " ".join(clean(text[: width * 8]).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def excerpt(text: str, lines: int, width: int = 400) -> str:
    """The first `lines` lines of `text`, harmless, each cut at `width` characters; what is left out is counted."""
    every = clean(text).strip("\n").split("\n")
    shown = [line if len(line) <= width else line[: width - 1] + "…" for line in every[:lines]]
    left = len(every) - len(shown)
    return "\n".join([*shown, f"… {count(left, 'more line')}"] if left else shown)


def reflowed(text: str) -> str:
    """Markdown whose lines were broken for another width: those of a paragraph joined, everything else left alone."""
    lines: list[str] = []
    in_fence = open_paragraph = False
    for line in text.split("\n"):
        fence = _FENCE.match(line) is not None
        apart = in_fence or fence or not line.strip() or _BEGINS_A_LINE.match(line) is not None
        if open_paragraph and not apart:
            lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
        else:
            lines.append(line)
        in_fence ^= fence
        open_paragraph = not (in_fence or fence or not line.strip() or _STANDS_ALONE.match(line))
    return "\n".join(lines)


def difference(before: str, after: str, name: str, changed: str) -> str:
    """The change of a text called `name` into one called `changed`, as a unified difference."""
    return "\n".join(unified_diff(before.splitlines(), after.splitlines(), name, changed, n=3, lineterm=""))


def count(number: int, thing: str) -> str:
    """`number` and the thing it counts: "1 test", "4 tests"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _is_plain(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def _shown(character: str) -> str:
    if character == "\n" or character in _JOINERS:
        return character
    return "\ufffd" if unicodedata.category(character) in _UNPRINTABLE else character
