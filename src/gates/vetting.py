"""The gate that a suite passes after runs against fakes: every test can fail, and no fake turns the suite green."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from src.gates.fakes import STUB
from src.gates.verdict import Verdict

FAILED = frozenset({"failed", "error", "not_run"})
"""Outcomes of a test that did not get by. One that was skipped did."""
COMPLETE = frozenset({"passed", "failed", "not_all_passed"})
"""Statuses of runs that came to their end and can be relied on."""
GREEN = frozenset({"passed", "not_all_passed"})
"""Statuses of runs in which no test failed."""
NAMED = 5
"""Tests, or cases of one test, that a reason names; more are counted."""


@dataclass(frozen=True)
class FakeRun:
    """What was measured of the suite against one fake."""

    fake: str
    """Name of the fake: `stub`, or the value that everything answers."""
    status: str
    """What the run came to, as the sandbox tells it."""
    reason: str = ""
    """Why it is not green, as the sandbox tells it."""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    """What became of each test, by its id."""


@dataclass(frozen=True)
class VettingFacts:
    """What the gate knows: one run for each fake, the stub's first."""

    module_name: str
    """Import name of the module that is not written yet."""
    runs: tuple[FakeRun, ...]
    """What was measured."""


def check_vetting(facts: VettingFacts) -> Verdict:
    """Refuse a suite that proves nothing: one that cannot be collected, never ends, or has tests that cannot fail.

    A run that broke (it hung, it took all memory, the sandbox does not trust it) says nothing against a test: on that
    fake all count as failed but those that passed.
    """
    return Verdict(tuple(_uncollected(facts) or _never_ran(facts) or [*_green(facts), *_vacuous(facts)]))


def _uncollected(facts: VettingFacts) -> list[str]:
    stub = next((run for run in facts.runs if run.fake == STUB), None)
    if stub is None or stub.status not in ("collection_error", "no_tests"):
        return []
    if stub.status == "no_tests":
        return ["pytest collects no test of the suite; name the functions `test_…`, at the top level or in `Test…`."]
    module = facts.module_name
    if "NotImplementedError" in stub.reason:
        return [
            f"The suite calls `{module}` while it is imported ({stub.reason}), so that with a module that is wrong no "
            "test could run at all. Call it inside tests and fixtures only: not at module level, in a class body or "
            "in the values of parametrize; there, name plain values and build the objects inside the test."
        ]
    return [
        f"The suite cannot be collected against a stub that has every name it takes from `{module}` ({stub.reason}). "
        "Import only what the standard library, pytest and the module have, and use the module inside tests only."
    ]


def _never_ran(facts: VettingFacts) -> list[str]:
    """A suite that broke on every fake broke by itself: no module could make it green."""
    if not facts.runs or any(run.status in (*COMPLETE, "collection_error", "no_tests") for run in facts.runs):
        return []
    if all(run.status == "timeout" for run in facts.runs):
        return [
            f"The suite does not end, whatever the module answers ({facts.runs[0].reason}). A wrong module must fail "
            "it, not hang it: bound every loop and every wait by a number of rounds, and let the test fail after it."
        ]
    return [
        f"The suite does not come to its end, whatever the module answers ({run.status.replace('_', ' ')}: "
        f"{run.reason}). It must leave the process, pytest and the builtins alone and be modest in what it uses."
        for run in facts.runs[:1]
    ]


def _green(facts: VettingFacts) -> list[str]:
    green = [run.fake for run in facts.runs if run.status in GREEN]
    if not green:
        return []
    what = _listed([_described(name) for name in green])
    return [
        f"The whole suite passes against {what}. Such a module is never right: assert the values, errors and effects "
        "that the request asks for, with inputs for which the answers differ."
    ]


def _vacuous(facts: VettingFacts) -> list[str]:
    """Tests that pass whatever the module does, one reason for each test function."""
    passed = [{test for test, outcome in run.outcomes.items() if outcome not in FAILED} for run in facts.runs]
    never = set.intersection(*passed) if passed else set()
    cases: dict[str, list[str]] = {}
    for test in facts.runs[0].outcomes if facts.runs else ():
        if test in never:
            cases.setdefault(test.partition("[")[0], []).append(test)
    skipped = {test for test in never if all(run.outcomes[test] == "skipped" for run in facts.runs)}
    return [_proves_nothing(name, found, skipped.issuperset(found), len(facts.runs)) for name, found in cases.items()]


def _proves_nothing(name: str, cases: list[str], skipped: bool, fakes: int) -> str:
    which = "" if cases == [name] else f" (cases {_listed([case[len(name) :] for case in cases])})"
    if skipped:
        return f"`{name}`{which} is skipped whatever the module does, so it cannot fail; let it run, or leave it out."
    return (
        f"`{name}`{which} passes against all {fakes} fakes of the module, one that only raises NotImplementedError "
        "among them, so it cannot fail and proves nothing. Call the module outside of any `try` that catches what it "
        "raises, without a mock in its place, and assert what the request says about the result."
    )


def _described(fake: str) -> str:
    if fake == STUB:
        return "a stub whose every call raises NotImplementedError"
    return f"a module whose every call returns `{fake}`"


def _listed(words: Iterable[str]) -> str:
    found = list(words)
    left = len(found) - NAMED
    return ", ".join(found[:NAMED]) + (f" and {left} more" if left > 0 else "")
