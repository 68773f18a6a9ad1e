"""A test may be wrong: courses of whole runs in which the debugger disputes tests and the architect decides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.events import NodeStarted
from src.runs import longest
from src.state import TeamState
from tests.conftest import RunsReadOnce

MARK = '@pytest.mark.request("returns the sum")\n'
WRONG_TEST = f"{MARK}def test_small():\n    assert add(1, 2) == 4\n"
RIGHT_TEST = WRONG_TEST.replace("4", "3")
OTHER = f"{MARK}def test_zero():\n    assert add(0, 0) == 0\n"
MORE = "".join(f"\n\n{MARK}def test_more_{n}():\n    assert add({n}, 1) == {n + 1}\n" for n in range(4))
HEAD = "import pytest\n\nfrom solution import add\n\n\n"
SUITE = f"{HEAD}{WRONG_TEST}\n\n{OTHER}{MORE}"
AMENDED = SUITE.replace(WRONG_TEST, RIGHT_TEST)
DESIGN = f"### SPECIFICATIONS\n\n`add(a, b)` returns the sum.\n\n### TESTS\n\n```python\n{SUITE}```\n"
RIGHT = "def add(a, b):\n    return a + b  # the sum\n"
ALSO_RIGHT = "def add(a, b):\n    return sum((a, b))\n"
WRONG = "def add(a, b):\n    return a * b\n"

DISPUTE = (
    "### DIAGNOSIS\n\nThe test is wrong.\n\n### FAULT\n\ntests\n\n### DISPUTED_TESTS\n\n"
    "- `test_small`: the specification says the sum, 3; the test expects 4\n"
)
KEEP = "### DECISION\n\nkeep\n\n### REASON\n\nThe test says what was asked.\n"
AMEND = f"### DECISION\n\namend\n\n### REASON\n\nOne and two are three.\n\n### TESTS\n\n```python\n{RIGHT_TEST}```\n"


def module(code: str) -> str:
    return f"```python\n{code}```\n"


def patch(code: str) -> str:
    return f"### DIAGNOSIS\n\nIt multiplies.\n\n### FAULT\n\ncode\n\n### PATCHED_CODE\n\n{module(code)}"


def names(suite: str) -> list[str]:
    return [line[4:-3] for line in suite.splitlines() if line.startswith("def test_")]


def measure(job: Job) -> TestReport:
    """A sandbox that knows right modules and the wrong test when it sees them."""
    failed = ["test_small"] if WRONG_TEST in job.tests else []
    failed += [] if job.code in (RIGHT, ALSO_RIGHT) else ["test_zero"]
    passed = [name for name in names(job.tests) if name not in failed]
    return failing_report(failed, passed, "assert 3 == 4") if failed else passing_report(passed)


def vetted(job: Job) -> TestReport:
    """A fake of the module fails every test, but one that expects the unlikely."""
    passed = [name for name in names(job.tests) if "add(1, 2) != 99" in job.tests and name == "test_small"]
    return failing_report([name for name in names(job.tests) if name not in passed], passed)


@pytest.fixture
def play(tmp_path: Path, team: Callable[..., Any]) -> Callable[..., tuple[TeamState, Any]]:
    def run(max_iterations: int = 3, max_disputes: int = 2, **answers: list[str]) -> tuple[TeamState, Any]:
        told = {"architect": [DESIGN], "developer": [module(RIGHT)], "reviewer": ["Good."]} | answers
        crew = team(FakeSandbox(measure, series=vetted), "r", **told)
        runs = RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=2)
        request = "Write add(a, b), which returns the sum."
        state = runs.start(request, crew.context, max_iterations=max_iterations, max_disputes=max_disputes)
        return state, crew

    return run


def way(crew: Any) -> list[str]:
    return [str(event.node) for event in crew.events if isinstance(event, NodeStarted)][3:]


def test_a_wrong_test_is_amended_and_the_same_code_is_verified(play: Callable[..., Any]) -> None:
    state, crew = play(architect=[DESIGN, AMEND], debugger=[DISPUTE])
    assert way(crew) == ["debugger", "dispute", "test_runner", "reviewer"]
    assert state["best"]["test_results"]["status"] == "passed"
    assert (state["best"]["code"], state["tests"], state["iteration"]) == (RIGHT, AMENDED, 1)
    assert state["best"]["iteration"] == 0, "the developer's candidate, whatever was said about the tests"
    (dispute,) = state["disputes"]
    assert (dispute["tests"], dispute["decision"], dispute["answer"]) == (
        ["test_small"],
        "amended",
        "One and two are three.",
    )
    assert "-    assert add(1, 2) == 4\n+    assert add(1, 2) == 3" in dispute["difference"]
    assert [(entry["gate"], entry["action"]) for entry in state["audit"] if entry["gate"] == "dispute"] == [
        ("dispute", "the architect was asked"),
        ("dispute", "test amended"),
    ]


def test_the_architect_sees_the_disputed_tests_and_the_reason_and_never_the_candidate(
    play: Callable[..., Any],
) -> None:
    leak = DISPUTE + f"  as `return a + b  # the sum` computes\n\n{module(RIGHT)}"
    _state, crew = play(architect=[DESIGN, AMEND], debugger=[leak])
    told = "\n".join(text for _, text in crew.models["architect"].asked[1])
    assert "the specification says the sum" in told
    assert WRONG_TEST in told
    assert "test_zero" not in told
    assert "return a + b" not in told
    assert "assert 3 == 4" not in told, "what was measured shows what the candidate does"


def test_a_test_that_is_kept_is_red_still_and_the_debugger_hears_why(play: Callable[..., Any]) -> None:
    state, crew = play(
        architect=[DESIGN, KEEP],
        developer=[module(WRONG)],
        debugger=[DISPUTE, patch(RIGHT), patch(WRONG.replace("*", "-"))],
    )
    assert way(crew)[:4] == ["debugger", "dispute", "debugger", "test_runner"]
    assert state["tests"] == SUITE
    told = crew.models["debugger"].asked[1][1][1]
    assert "the architect kept them: The test says what was asked." in told
    assert "left in this run: 1" in told
    assert state["disputes"][0]["decision"] == "kept"


def test_a_kept_test_ends_the_run_when_no_iteration_is_left(play: Callable[..., Any]) -> None:
    state, crew = play(max_iterations=1, architect=[DESIGN, KEEP], debugger=[DISPUTE])
    assert way(crew) == ["debugger", "dispute", "reviewer"]
    assert state["best"]["test_results"]["status"] == "failed"


def test_an_amended_suite_is_run_when_no_iteration_is_left_too(play: Callable[..., Any]) -> None:
    state, crew = play(max_iterations=1, architect=[DESIGN, AMEND], debugger=[DISPUTE])
    assert way(crew) == ["debugger", "dispute", "test_runner", "reviewer"]
    assert state["best"]["test_results"]["status"] == "passed"


def test_the_candidate_that_a_wrong_test_made_look_bad_is_measured_again(play: Callable[..., Any]) -> None:
    state, crew = play(architect=[DESIGN, AMEND], debugger=[patch(WRONG), DISPUTE])
    assert (state["best"]["code"], state["best"]["iteration"]) == (RIGHT, 0)
    assert state["best"]["test_results"]["status"] == "passed"
    assert state["code"] == RIGHT
    assert [job.code for job in crew.context.sandbox.jobs if not job.order_seed] == [RIGHT, WRONG, WRONG, RIGHT]


def test_what_was_measured_on_an_earlier_suite_never_counts(play: Callable[..., Any]) -> None:
    state, _crew = play(max_iterations=1, architect=[DESIGN, AMEND], developer=[module(WRONG)], debugger=[DISPUTE])
    assert state["best"]["test_results"]["counts"]["failed"] == 1
    assert [test["id"] for test in state["best"]["test_results"]["tests"]][-1] == "test_zero"


def test_an_amendment_that_weakens_goes_back_to_the_architect_and_is_refused_in_the_end(
    play: Callable[..., Any],
) -> None:
    weak = AMEND.replace("assert add(1, 2) == 3", "assert add(1, 2) > 0")
    state, crew = play(max_iterations=1, architect=[DESIGN, weak, weak, weak], debugger=[DISPUTE])
    assert state["tests"] == SUITE
    (dispute,) = state["disputes"]
    assert dispute["decision"] == "refused"
    assert "fewer assertions that demand an exact value" in dispute["answer"]
    assert "fewer assertions" in crew.models["architect"].asked[2][3][1]
    assert len(state["rejections"]) == 3
    assert state["audit"][-1]["action"] == "test kept: the amendment was refused"


def test_an_amendment_is_vetted_as_the_first_suite_was_and_can_be_sent_again(play: Callable[..., Any]) -> None:
    hollow = AMEND.replace("== 3", "== 3 == add(1, 2) != 99")
    state, crew = play(architect=[DESIGN, hollow, AMEND], debugger=[DISPUTE])
    assert (state["tests"], state["disputes"][0]["decision"]) == (AMENDED, "amended")
    (rejection,) = state["rejections"]
    assert "test_small" in rejection["reasons"][0]
    assert "add(1, 2) == 4" in crew.models["architect"].asked[2][1][1], "the suite as it was disputed"
    decided = [entry["action"] for entry in state["audit"] if entry["gate"] == "dispute"]
    assert decided == ["the architect was asked", "test amended"]


def test_a_suite_that_vetting_refuses_to_the_last_is_kept_as_it_was(play: Callable[..., Any]) -> None:
    hollow = AMEND.replace("== 3", "== 3 == add(1, 2) != 99")
    state, _crew = play(max_iterations=1, architect=[DESIGN, *[hollow] * 3], debugger=[DISPUTE])
    assert (state["tests"], state["disputes"][0]["decision"]) == (SUITE, "refused")


def test_a_dispute_too_many_is_refused_and_the_debugger_is_told_beforehand(play: Callable[..., Any]) -> None:
    state, crew = play(
        max_disputes=1, architect=[DESIGN, KEEP], debugger=[DISPUTE, DISPUTE, patch(ALSO_RIGHT), patch(WRONG)]
    )
    assert "No dispute is left in this run" in crew.models["debugger"].asked[1][1][1]
    assert "1 of 1 are used" in state["rejections"][0]["reasons"][0]
    assert len(state["disputes"]) == 1


def test_only_failing_tests_can_be_disputed(play: Callable[..., Any]) -> None:
    state, _crew = play(architect=[DESIGN, AMEND], debugger=[DISPUTE.replace("test_small", "test_zero"), DISPUTE])
    (refusal,) = state["rejections"]
    assert refusal["reasons"] == [
        "`test_zero` is not a failing test of the suite; only failing tests can be disputed: `test_small`."
    ]
    assert state["best"]["test_results"]["status"] == "passed"


def test_tests_that_a_debugger_sends_are_left_out(play: Callable[..., Any]) -> None:
    both = patch(RIGHT) + f"\n### TESTS\n\n{module(AMENDED)}"
    state, _crew = play(max_iterations=1, developer=[module(WRONG)], debugger=[both])
    assert (state["tests"], state["code"]) == (SUITE, RIGHT)


def test_candidates_that_agree_against_a_test_are_recorded_and_not_shown_to_the_architect(
    play: Callable[..., Any],
) -> None:
    state, crew = play(architect=[DESIGN, AMEND], debugger=[patch(ALSO_RIGHT), DISPUTE])
    (evidence,) = state["disputes"][0]["evidence"]
    assert evidence.startswith("2 different candidates agree with each other against test_small")
    assert "candidates" not in "\n".join(text for _, text in crew.models["architect"].asked[1])


@pytest.mark.parametrize(("max_iterations", "max_disputes"), [(1, 5), (6, 6)])
def test_a_run_that_disputes_without_end_ends_by_its_own_counters(
    play: Callable[..., Any], max_iterations: int, max_disputes: int
) -> None:
    state, crew = play(
        max_iterations=max_iterations,
        max_disputes=max_disputes,
        architect=[DESIGN, *[KEEP] * max_disputes],
        debugger=[DISPUTE] * max_iterations,
    )
    assert state["status"] == "completed"
    assert state["iteration"] == max_iterations
    assert len([node for node in way(crew) if node == "dispute"]) == max_iterations


def test_a_dispute_makes_the_longest_run_a_step_longer() -> None:
    without = longest(TeamState(max_iterations=9), 0)
    assert longest(TeamState(max_iterations=9, max_disputes=2), 0) == without + 2
    assert longest(TeamState(max_iterations=9, max_disputes=20), 0) == without + 9
