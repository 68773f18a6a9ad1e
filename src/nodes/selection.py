"""Several candidates at once: all are tested, and the run goes on from the best.

They share a container to be ranked, each in a process of its own. A verdict rests on a container that nothing else has
run in, so the best is measured once more there.
"""

from collections.abc import Sequence
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


class Group(NamedTuple):
    """Candidates that differ in layout and comments alone; the first one is tested."""

    developers: list[int]
    """Who wrote them, in order."""
    code: str
    """The first one's module."""


def select(state: TeamState, context: TeamContext, candidates: Sequence[Candidate]) -> Selection:
    """Test `candidates`, of which there is at least one. Raises `SandboxError`."""
    groups = grouped(candidates)
    results, alone = _measured(state, context, groups)
    best = reduce(better, (results[place] for place in sorted(alone)))  # the first wins a tie
    observations = state.get("observations", [])
    for group, result in zip(groups, results, strict=True):
        observations = observed(observations, group.code, result["test_results"], developers=group.developers)
    told = [one for group, result in zip(groups, results, strict=True) for one in _told(group, result, candidates)]
    kept = [Candidate({**one, "kept": one["code"] == best["code"] and not one["same_as"]}) for one in told]
    return Selection(best, sorted(kept, key=lambda one: one["developer"]), observations)


def grouped(candidates: Sequence[Candidate]) -> list[Group]:
    """Each module once, in the order of the developers."""
    groups: dict[str, Group] = {}
    for one in candidates:
        group = groups.setdefault(fingerprint(one["code"]), Group([], one["code"]))
        group.developers.append(one["developer"])
    return list(groups.values())


def _measured(state: TeamState, context: TeamContext, groups: Sequence[Group]) -> tuple[list[Best], list[int]]:
    """What each comes to, and the places of those that have run alone: of the best, until one bears it out."""
    if len(groups) == 1:
        return [measured(state, context, groups[0].code, 0)], [0]
    reports = context.sandbox.run_many([job_of(state, context, group.code) for group in groups])
    results = [
        Best(code=group.code, test_results=report.model_dump(), iteration=0)
        for group, report in zip(groups, reports, strict=True)
    ]
    alone: list[int] = []
    for place in sorted(range(len(groups)), key=lambda place: rank(results[place]), reverse=True):
        seemed_green, results[place] = is_green(results[place]), measured(state, context, groups[place].code, 0)
        alone.append(place)
        if is_green(results[place]) or not seemed_green:
            break
    return results, alone


def _told(group: Group, result: Best, candidates: Sequence[Candidate]) -> list[Candidate]:
    first, counts = group.developers[0], result["test_results"]["counts"]
    more = {
        "status": result["test_results"]["status"],
        "passed": counts["passed"],
        "collected": counts["collected"],
    }
    own = [one for one in candidates if one["developer"] in group.developers]
    return [
        Candidate({**one, **more, "same_as": first if one["developer"] != first else 0})  # type: ignore[typeddict-item]
        for one in own
    ]
