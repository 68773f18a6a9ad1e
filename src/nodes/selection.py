"""Several candidates at once: all are tested, and the run goes on from the best.

They share a container to be ranked, each in a process of its own. A verdict rests on a container that nothing else has
run in, so the best is measured once more there.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from src.candidates import Candidate
from src.context import TeamContext
from src.gates.evidence import observed
from src.gates.fingerprint import fingerprint
from src.nodes.measuring import better, is_green, job_of, measured, rank
from src.state import Best, Observation, TeamState


class Selection(NamedTuple):
    """What the candidates came to."""

    best: Best
    """The one that the run goes on from: a green one, else the one with most tests passed, else the first."""
    candidates: list[Candidate]
    """All of them, with how each did."""
    observations: list[Observation]
    """How each failed."""


Group = list[Candidate]
"""Candidates that differ in layout and comments alone; the first one is tested."""


def select(state: TeamState, context: TeamContext, candidates: Sequence[Candidate]) -> Selection:
    """Test `candidates`, of which there is at least one. Raises `SandboxError`."""
    groups = grouped(candidates)
    results, alone = _measured(state, context, groups)
    best = reduce(better, (results[place] for place in sorted(alone)))  # the first wins a tie
    observations = state.get("observations", [])
    for group, result in zip(groups, results, strict=True):
        apart = [one["developer"] for one in group if one["independent"]]
        observations = observed(observations, result["code"], result["test_results"], developers=apart)
    told = [one for group, result in zip(groups, results, strict=True) for one in _told(group, result)]
    kept = [Candidate({**one, "kept": one["code"] == best["code"] and not one["same_as"]}) for one in told]
    return Selection(best, sorted(kept, key=lambda one: one["developer"]), observations)


def grouped(candidates: Sequence[Candidate]) -> list[Group]:
    """Each module once, in the order of the developers."""
    groups: dict[str, Group] = {}
    for one in candidates:
        groups.setdefault(fingerprint(one["code"]), []).append(one)
    return list(groups.values())


def _measured(state: TeamState, context: TeamContext, groups: Sequence[Group]) -> tuple[list[Best], list[int]]:
    """What each comes to, and the places of those that have run alone: of the best, until one bears it out."""
    if len(groups) == 1:
        return [measured(state, context, groups[0][0]["code"], 0)], [0]
    codes = [group[0]["code"] for group in groups]
    reports = context.sandbox.run_many([job_of(state, context, code) for code in codes])
    results = [
        Best(code=code, test_results=report.model_dump(), iteration=0)
        for code, report in zip(codes, reports, strict=True)
    ]
    alone: list[int] = []
    for place in sorted(range(len(groups)), key=lambda place: rank(results[place]), reverse=True):
        seemed_green, results[place] = is_green(results[place]), measured(state, context, codes[place], 0)
        alone.append(place)
        if is_green(results[place]) or not seemed_green:
            break
    return results, alone


def _told(group: Group, result: Best) -> Iterator[Candidate]:
    """The candidates of a group, with how they did."""
    first, results = group[0]["developer"], result["test_results"]
    for one in group:
        yield Candidate(
            {
                **one,
                "status": results["status"],
                "passed": results["counts"]["passed"],
                "collected": results["counts"]["collected"],
                "same_as": first if one["developer"] != first else 0,
            }
        )
