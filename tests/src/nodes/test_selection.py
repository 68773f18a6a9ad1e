"""Several candidates: whatever the sandbox says of them together and alone, one that has run alone is kept."""

from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.candidates import candidate_of
from src.context import TeamContext
from src.nodes.selection import select
from src.state import TeamState

NAMES = ["a", "b", "c"]


def report(passed: int) -> TestReport:
    red = NAMES[passed:]
    return failing_report(red, NAMES[:passed]) if red else passing_report(NAMES)


Each = tuple[int, int, int]
"""The module that a developer writes, how many tests pass in it when it runs with others, and when it runs alone."""


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6))
def test_the_best_has_run_alone_and_all_are_told_of(each: list[Each]) -> None:
    modules = {f"x = {module}\n": (together, alone) for module, together, alone in each}
    codes = [f"x = {module}\n" for module, _, _ in each]

    def alone(job: Job) -> TestReport:
        return report(modules[job.code][1])

    sandbox = FakeSandbox(alone, series=lambda job: report(modules[job.code][0]))
    state = cast(TeamState, {"tests": "", "module_name": "solution"})
    handed_in = [candidate_of(number, code) for number, code in enumerate(codes, start=1)]
    found = select(state, TeamContext({}, sandbox), handed_in)

    ran_alone = [job.code for job in sandbox.jobs]
    assert found.best["code"] in ran_alone
    assert found.best["test_results"] == report(modules[found.best["code"]][1]).model_dump()
    assert len(ran_alone) == len(set(ran_alone))
    assert len(sandbox.series_jobs) == (len(modules) if len(modules) > 1 else 0)
    if any(both == (3, 3) for both in modules.values()):
        assert found.best["test_results"]["status"] == "passed", "one that is green twice is not passed over"
    assert [one["developer"] for one in found.candidates] == list(range(1, len(each) + 1))
    assert all(one["status"] for one in found.candidates)
    (kept,) = [one for one in found.candidates if one["kept"]]
    assert kept["code"] == found.best["code"]
    assert kept["developer"] == codes.index(kept["code"]) + 1
    for one in found.candidates:
        assert one["same_as"] in (0, codes.index(one["code"]) + 1)
