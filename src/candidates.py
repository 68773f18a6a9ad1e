"""Candidates that several developers write at once: what is kept of each, and how they come together again."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

MAX_DEVELOPERS = 8
"""Developers that write at once at most."""


DROPPED_OUT = "dropped out"
"""What the audit trail says of one of several developers who used up its corrections."""


LEFT_OUT = "left out"
"""What it says of one whom a provider failed for good."""


class Candidate(TypedDict):
    """What one of several developers came to."""

    id: str
    """Unique for the developer."""
    developer: int
    """Which one, from 1."""
    code: str
    """The module."""
    independent: bool
    """Whether no person edited it or sent it back, who may have seen what others wrote."""
    status: str
    """What the test run came to; empty until it was tested."""
    passed: int
    """Tests that passed."""
    collected: int
    """Tests of the suite."""
    same_as: int
    """An earlier developer who wrote the same but for layout and comments, so that it was tested once; 0: nobody."""
    kept: bool
    """Whether the run goes on from it."""


def candidate_of(developer: int, code: str, *, independent: bool = True) -> Candidate:
    """A candidate that was not tested yet."""
    return Candidate(
        id=f"developer-{developer}",
        developer=developer,
        code=code,
        independent=independent,
        status="",
        passed=0,
        collected=0,
        same_as=0,
        kept=False,
    )


def latest_by_id(old: list[Any], new: Iterable[Any]) -> list[Any]:
    """Reducer: entries in the order in which their ids came, each as it was handed in last."""
    return list({entry["id"]: entry for entry in (*old, *new)}.values())


def untested(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those that were not tested yet, in the order of their developers."""
    return sorted((one for one in candidates if not one["status"]), key=lambda one: one["developer"])


def latest_code(state: Mapping[str, Any]) -> str:
    """The module that is at hand: the latest one, or the first of several that were not tested yet."""
    waiting = untested(state.get("candidates", []))
    return waiting[0]["code"] if waiting else str(state.get("code", ""))


def called(role: str, developer: int = 0) -> str:
    """Who speaks: a role, or one of several developers. `developer`: which one; 0: there is one alone."""
    return f"{role} {developer}" if developer else role
