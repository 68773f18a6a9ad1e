"""Changes instead of a whole file: unified diffs and search-and-replace blocks, applied to the code they are about."""

import re
from dataclasses import dataclass

_HUNK = re.compile(r"^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*|)$", re.M)
_HEADER = re.compile(
    r"^(?:diff --git |index [0-9a-f]|--- |\+\+\+ |\*\*\* |new file mode|old mode|new mode|\\ No newline)"
)
_SEARCH = re.compile(r"[ \t]*<{5,9} ?(?:SEARCH|ORIGINAL|HEAD|OLD)\b", re.I)
_DIVIDE = re.compile(r"[ \t]*={5,9}[ \t]*\Z")
_REPLACE = re.compile(r"[ \t]*>{5,9} ?\w*")


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


def applied(changes: list[Change], code: str) -> str | None:
    """`code` with the changes made; `None` when one of them does not fit, or fits in several places equally well."""
    lines = code.rstrip("\n").split("\n") if code.strip() else []
    for change in changes:
        if not any(line.strip() for line in change.old):
            if lines:
                return None
            lines = list(change.new)
            continue
        place = _place(change, lines)
        if place is None:
            return None
        lines[place : place + len(change.old)] = change.new
    return "\n".join(lines) + "\n" if changes else None


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
