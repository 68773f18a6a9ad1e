"""Changes instead of a whole file: unified diffs and search-and-replace blocks, applied to the code they are about."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

_HUNK = re.compile(r"^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*|)$", re.M)
_HEADER = re.compile(
    r"^(?:diff --git |index [0-9a-f]|--- |\+\+\+ |\*\*\* |new file mode|old mode|new mode|\\ No newline)"
)
_SEARCH = re.compile(r"[ \t]*<{5,9} ?(?:SEARCH|ORIGINAL|HEAD|OLD)\b", re.I)
_DIVIDE = re.compile(r"[ \t]*={5,9}[ \t]*\Z")
_REPLACE = re.compile(r"[ \t]*>{5,9} ?\w*")


LIKE = 0.6
"""How alike lines must be to be shown to an author as those that it may have meant; difflib's own measure."""
SHOWN_LINES, SHOWN_WIDTH, MOST_COMPARED = 12, 160, 40


@dataclass(frozen=True)
class Change:
    """Lines to find and the lines to put in their place."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    near: int = 0
    """Where the author believes them to be, from 0."""


def looks_like_diff(text: str, tag: str = "") -> bool:
    """Whether `text` describes a change."""
    if tag in ("diff", "patch", "udiff") or _searches(text):
        return True
    return bool(_HUNK.search(text)) and bool(re.search(r"^[+-]", text, re.M))


def has_searches(text: str) -> bool:
    """Whether `text` holds a search-and-replace block."""
    return bool(_searches(text))


def changes_in(text: str) -> list[Change]:
    """The changes that a diff or search-and-replace text describes, in order."""
    return _searches(text) or _hunks(text)


def _searches(text: str) -> list[Change]:
    found: list[Change] = []
    old: list[str] = []
    new: list[str] = []
    part: list[str] | None = None
    for line in text.split("\n"):
        if _SEARCH.match(line):
            old, new = [], []
            part = old
        elif part is old and part is not None and _DIVIDE.match(line):
            part = new
        elif part is new and part is not None and _REPLACE.match(line):
            found.append(Change(tuple(old), tuple(new)))
            part = None
        elif part is not None:
            part.append(line)
    return found


def _hunks(text: str) -> list[Change]:
    found: list[Change] = []
    old: list[str] = []
    new: list[str] = []
    near = 0

    def close() -> None:
        if old or new:
            while old and new and not old[-1] and not new[-1]:
                old.pop(), new.pop()
            found.append(Change(tuple(old), tuple(new), near))
        old.clear()
        new.clear()

    for line in text.rstrip("\n").split("\n"):
        hunk = _HUNK.match(line)
        if hunk:
            close()
            near = max(int((hunk[1] or "1")[:9]) - 1, 0)
        elif _HEADER.match(line):
            continue
        elif line[:1] in ("+", "-"):
            (new if line[0] == "+" else old).append(line[1:])
        else:
            content = line[1:] if line.startswith(" ") else line
            old.append(content)
            new.append(content)
    close()
    return [change for change in found if change.old != change.new]


class Misfit(Exception):
    """A change that fits nowhere, or in several places equally well; the message says which, for its author."""


def applied(changes: list[Change], code: str) -> str:
    """`code` with the changes made, all or none. Raises `Misfit`."""
    lines = code.rstrip("\n").split("\n") if code.strip() else []
    if not changes:
        raise Misfit("It describes no change.")
    for number, change in enumerate(changes, start=1):
        if not any(line.strip() for line in change.old):
            if lines:
                raise Misfit(f"Change {number} of {len(changes)} does not say which lines it replaces.")
            lines = list(change.new)
            continue
        place = _place(change, lines)
        if place is None:
            raise Misfit(_misfit(change, number, len(changes), lines))
        lines[place : place + len(change.old)] = change.new
    return "\n".join(lines) + "\n"


def _misfit(change: Change, number: int, count: int, lines: list[str]) -> str:
    """Which change does not fit, what stands there in its place, and what would have been done with the others."""
    others = f" The {number - 1} before it fit; none was made." if number > 1 else ""
    which = f"Change {number} of {count}"
    wanted = [line.rstrip() for line in change.old]
    size = len(wanted)
    exact = [n + 1 for n in range(len(lines) - size + 1) if [line.rstrip() for line in lines[n : n + size]] == wanted]
    if exact:
        places = ", ".join(map(str, exact[:5]))
        return f"{which} fits in several places (lines {places}); give more lines around it.{others}"
    near = _closest(wanted, lines)
    if not near:
        return f"{which} fits nowhere: no line of the module is like `{wanted[0].strip()[:SHOWN_WIDTH]}`.{others}"
    return f"{which} fits nowhere. The closest lines of the module are:\n{near}\n{others}".rstrip()


def _closest(wanted: list[str], lines: list[str]) -> str:
    """The lines that are most like `wanted`, with their numbers; empty when none is much like them."""
    size = len(wanted)
    scored = [
        (SequenceMatcher(None, "\n".join(wanted), "\n".join(lines[n : n + size])).ratio(), -n)
        for n in _candidates(wanted, lines)
    ]
    score, place = max(scored, default=(0.0, 0))
    if score < LIKE:
        return ""
    begin = -place
    shown = lines[begin : begin + min(size, SHOWN_LINES)]
    return "\n".join(f"{begin + n + 1}: {line[:SHOWN_WIDTH]}" for n, line in enumerate(shown))


def _candidates(wanted: list[str], lines: list[str]) -> list[int]:
    """Where a line of `wanted` stands, or the lines most like its first: few enough to be compared in full."""
    stripped = [line.strip() for line in lines]
    sought = [line.strip() for line in wanted]
    begins = {
        max(n - offset, 0)
        for offset, line in enumerate(sought)
        if len(line) > 3
        for n, other in enumerate(stripped)
        if other == line
    }
    if not begins:
        first = next(line for line in sought if line)
        likely = set(
            get_close_matches(first[:SHOWN_WIDTH], {line[:SHOWN_WIDTH] for line in stripped}, n=3, cutoff=LIKE)
        )
        begins = {n for n, line in enumerate(stripped) if line[:SHOWN_WIDTH] in likely}
    return sorted(begins)[:MOST_COMPARED]


def _place(change: Change, lines: list[str]) -> int | None:
    old = [line.rstrip() for line in change.old]
    stripped = [line.rstrip() for line in lines]
    places = [
        n for n in range(len(lines) - len(old) + 1) if stripped[n] == old[0] and stripped[n : n + len(old)] == old
    ]
    if not places:
        return None
    nearest = sorted(places, key=lambda n: abs(n - change.near))
    if len(nearest) > 1 and (not change.near or abs(nearest[0] - change.near) == abs(nearest[1] - change.near)):
        return nearest[0] if nearest[0] == change.near and change.near else None
    return nearest[0]
