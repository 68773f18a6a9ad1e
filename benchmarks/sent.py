"""What was sent in healing runs, summed up and told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.counting import COUNTER

ITERATIONS = (1, 2, 3)
"""Lengths of healing runs."""


@dataclass(frozen=True)
class Sent:
    """One healing run, and the tutorial's calls on the same candidates."""

    ours: int
    """Tokens that our debugger was sent."""
    theirs: int
    """Tokens that the tutorial's would have been sent."""
    ours_repeated: int
    """Of ours, those that a call begins with as the one before did."""
    theirs_repeated: int
    """The same of theirs."""
    verified: bool
    """Whether the run ended VERIFIED; the tutorial's way tests every patch, and so ends with the right one."""
    untold: tuple[str, ...]
    """Facts of a failure that a call lacked."""


@dataclass(frozen=True)
class Compared:
    """The healing runs of one task."""

    name: str
    """Where the task is from."""
    runs: Mapping[int, Sent]
    """By the number of iterations; without those that too few wrong modules were found for."""
    passed_over: str = ""
    """Why there are none."""

    @property
    def told(self) -> str:
        """In a line."""
        runs = ", ".join(
            f"n = {number}: {sent.ours} of {sent.theirs}{'' if sent.verified else ', not healed'}"
            for number, sent in self.runs.items()
        )
        return runs or self.passed_over or "no wrong module was found"


def figures(measured: Mapping[str, Sequence[Compared]]) -> dict[str, Any]:
    """All figures by name; at the top those of the longest runs on the first source."""
    by_source = {source: by_number(compared) for source, compared in measured.items()}
    first = next(iter(by_source.values()))
    return {**first.get(str(ITERATIONS[-1]), {}), "counter": COUNTER, "by_source": by_source}


def by_number(compared: Sequence[Compared]) -> dict[str, dict[str, Any]]:
    """The figures by the number of iterations."""
    runs = {number: {one.name: one.runs[number] for one in compared if number in one.runs} for number in ITERATIONS}
    return {str(number): _figures(found) for number, found in runs.items() if found}


def _figures(runs: Mapping[str, Sent]) -> dict[str, Any]:
    sent = runs.values()
    ours, theirs = sum(one.ours for one in sent), sum(one.theirs for one in sent)
    lightest = sorted(sent, key=lambda one: one.theirs)[: len(runs) - len(runs) // 10]
    return {
        "share_of_tutorial": round(ours / theirs, 4),
        "share_without_heaviest_tenth": round(
            sum(one.ours for one in lightest) / sum(one.theirs for one in lightest), 4
        ),
        "median_share": round(median(one.ours / one.theirs for one in sent), 4),
        "tokens": ours,
        "tutorial_tokens": theirs,
        "runs": len(runs),
        "healed": sum(one.verified for one in sent),
        "fixes_lost": [name for name, one in runs.items() if not one.verified],
        "facts_missing": {name: list(one.untold) for name, one in runs.items() if one.untold},
        "cached_prefix_share": round(sum(one.ours_repeated for one in sent) / ours, 4),
        "tutorial_cached_prefix_share": round(sum(one.theirs_repeated for one in sent) / theirs, 4),
    }


_COLUMNS = {
    "share_of_tutorial": "share",
    "share_without_heaviest_tenth": "light 90 %",
    "median_share": "median",
    "tokens": "tokens",
    "tutorial_tokens": "tutorial",
    "runs": "runs",
    "healed": "healed",
    "cached_prefix_share": "prefix",
}


def table(measured: Mapping[str, Sequence[Compared]]) -> str:
    """All of it, to be read."""
    lines = [f"{'source':<12}{'n':>3}" + "".join(f"{name:>12}" for name in _COLUMNS.values())]
    notes = []
    for source, compared in measured.items():
        notes += [f"{one.name}: {one.told}" for one in compared if not one.runs]
        for number, found in by_number(compared).items():
            lines.append(f"{source:<12}{number:>3}" + "".join(f"{_cell(found[name]):>12}" for name in _COLUMNS))
            notes += [f"{name}, n = {number}: not healed" for name in found["fixes_lost"]]
            notes += [f"{name}, n = {number}: {what}" for name, all_ in found["facts_missing"].items() for what in all_]
    return "\n".join([*lines, *(["", *notes] if notes else []), "", f"one token: {COUNTER}"]) + "\n"


def _cell(value: float) -> str:
    return f"{value:.1%}" if isinstance(value, float) else str(value)
