"""What one run teaches the next: root causes, how relevant they are to a request, and whether they have helped.

Relevance is BM25 (Robertson and Zaragoza, 2009) over the lessons of the project, counted here: a full-text index exists
in SQLite and in Postgres, but not the same one in both, and a project has hundreds of lessons, not millions. Where an
embedding model is set, it is what the lessons mean; see `src.meaning`.

Whether a lesson helps is read from the runs that saw it: the share of those that were green at once, against the same
share of the runs that did not see it. Optimism in the face of little evidence (the upper end of Wilson's interval)
lets a new lesson be tried; one that goes on without helping comes ever closer to the others' share, and fades.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.state import TeamState, measured_best
from src.text import one_line

MAX_HINTS = 5
"""Lessons that a run is told of at most."""
MAX_CAUSE = 400
"""Characters of a lesson at most."""
FADED_BELOW = 0.15
"""A lesson that stands lower is not told any more."""
_SHARED = 2
"""Words that a request and a lesson have in common at least."""
_STOP = frozenset(
    {"and", "are", "but", "can", "class", "code", "create", "def", "each", "for", "from", "function", "given", "has"}
    | {"have", "implement", "into", "its", "make", "method", "module", "must", "not", "number", "one", "out", "python"}
    | {"return", "returned", "should", "string", "test", "that", "the", "their", "then", "there", "thi", "two", "use"}
    | {"value", "was", "when", "which", "with", "write"}
)
"""Words that requests of every kind have in common, as `_words` gives them."""


@dataclass(frozen=True)
class Lesson:
    """A root cause that was found and repaired."""

    key: str
    """Made from the words of the cause, so that the same cause is kept once."""
    cause: str
    """What was wrong and what mended it, in one line, as the debugger put it or a person edited it."""
    request: str
    """What the run was asked for, its beginning."""
    run_id: str
    """The run that taught it."""
    when: str
    """ISO 8601, UTC."""


@dataclass(frozen=True)
class Record:
    """How a run ended that might have been helped."""

    run_id: str
    """Name of the run."""
    green: bool
    """Whether the developer's first module was VERIFIED. Of several developers the first one's counts, who is told what
    a single one is: that one of many is right says little about what they were told."""
    saw: tuple[str, ...]
    """Keys of the lessons that it was told of."""


@dataclass(frozen=True)
class Worth:
    """How a lesson has done."""

    saw: int
    """Runs that were told of it."""
    green: int
    """Those among them that were green at once."""
    standing: float
    """From 0, no help to be expected, to 1."""

    @property
    def faded(self) -> bool:
        """Whether it is not told any more."""
        return self.standing < FADED_BELOW


def lesson_of(state: TeamState, run_id: str, when: str) -> Lesson | None:
    """What a run that was VERIFIED after a repair teaches; `None` for any other."""
    best = measured_best(state)
    if best is None or best["test_results"]["status"] != "passed" or best["iteration"] < 1:
        return None
    found = state.get("debug_history", [])[best["iteration"] - 1 : best["iteration"]]
    cause = one_line(found[0].partition(": ")[2], MAX_CAUSE) if found else ""
    return made(cause, state.get("user_request", ""), run_id, when) if cause else None


def made(cause: str, request: str, run_id: str, when: str) -> Lesson:
    """A lesson with its key."""
    told = one_line(cause, MAX_CAUSE)
    return Lesson(key_of(told), told, one_line(request, MAX_CAUSE), run_id, when)


def key_of(cause: str) -> str:
    """The same for causes that differ in signs, spaces and capitals alone."""
    return hashlib.sha256(" ".join(re.findall(r"\w+", cause.lower())).encode()).hexdigest()[:16]


def record_of(state: TeamState, run_id: str) -> Record | None:
    """How a run did; `None` when nothing was tested."""
    best = measured_best(state)
    if best is None:
        return None
    first = next((one for one in state.get("candidates", []) if one["developer"] == 1), None)
    green = best["test_results"]["status"] == "passed" and best["iteration"] == 0
    if state.get("candidates"):
        green = first is not None and first["status"] == "passed"
    return Record(run_id, green, tuple(hint["key"] for hint in state.get("lessons", [])))


def worth(key: str, records: Iterable[Record]) -> Worth:
    """How a lesson has done. `standing`: how far the upper end of its share lies above the share of the other runs."""
    every = list(records)
    told, others = [one for one in every if key in one.saw], [one for one in every if key not in one.saw]
    green = sum(one.green for one in told)
    base = (sum(one.green for one in others) + 1) / (len(others) + 2)  # Laplace: no share is certain
    return Worth(len(told), green, max(0.0, (wilson_upper(green, len(told)) - base) / (1 - base)))


def wilson_upper(hits: int, number: int, z: float = 1.28) -> float:
    """The upper end of Wilson's interval for a share, at 90 % for this side alone; 1 when nothing is known."""
    if number == 0:
        return 1.0
    share = hits / number
    middle = share + z * z / (2 * number)
    spread = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return min(1.0, (middle + spread) / (1 + z * z / number))


def chosen(lessons: Sequence[Lesson], scores: Mapping[str, float], records: Sequence[Record]) -> list[Lesson]:
    """The lessons to tell a run of, the best first, none that has faded. `scores`: how relevant each is to the request,
    by its key; those that are not relevant are absent.
    """
    ranked = []
    for one in lessons:
        if (score := scores.get(one.key)) and not (found := worth(one.key, records)).faded:
            ranked.append((-score * found.standing, one.key, one))
    return [one for _, _, one in sorted(ranked)[:MAX_HINTS]]


def relevance(query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """BM25 of each text that has enough words in common with `query`."""
    wanted = set(_words(query))
    counted = {key: Counter(_words(text)) for key, text in texts.items()}
    mean = sum(words.total() for words in counted.values()) / max(1, len(counted)) or 1.0
    holding = Counter(word for words in counted.values() for word in words)
    found = {}
    for key, words in counted.items():
        common = wanted & words.keys()
        if len(common) >= _SHARED:
            length = 1.2 * (0.25 + 0.75 * words.total() / mean)
            found[key] = sum(
                math.log(1 + (len(counted) - holding[word] + 0.5) / (holding[word] + 0.5))
                * words[word] * 2.2 / (words[word] + length)
                for word in common
            )  # fmt: skip
    return found


def project_name(given: str | None, folder: Path) -> str:
    """What the lessons of a project are kept under: the name that was given, else that of the repository or folder."""
    if given:
        return _label(given)
    here = folder.resolve()
    root = next((one for one in (here, *here.parents) if (one / ".git").exists()), here)
    return f"{_label(root.name)}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"


def _label(name: str) -> str:
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower())[:60] or "project"


def _words(text: str) -> list[str]:
    """Words, and the parts of names that are written with underscores; a plural is its singular."""
    found = [part.removesuffix("s") for word in re.findall(r"\w+", text.lower()) for part in word.split("_")]
    return [word for word in found if len(word) > 2 and word not in _STOP]
