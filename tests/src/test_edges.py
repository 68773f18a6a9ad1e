"""Where a run goes next."""

import pytest

from src.edges import after_architect, after_debugger, after_developer, after_test_runner
from src.state import Status, TeamState


def state(status: Status, iteration: int = 0, max_iterations: int = 3) -> TeamState:
    return TeamState(status=status, iteration=iteration, max_iterations=max_iterations)


@pytest.mark.parametrize(
    ("given", "node"),
    [
        (state("tests_passed"), "reviewer"),
        (state("tests_passed", 3), "reviewer"),
        (state("tests_failed"), "debugger"),
        (state("tests_failed", 2), "debugger"),
        (state("tests_failed", 3), "reviewer"),
        (state("tests_failed", 0, 0), "reviewer"),
    ],
)
def test_after_the_tests_a_failure_is_repaired_while_iterations_are_left(given: TeamState, node: str) -> None:
    assert after_test_runner(given) == node


def test_without_a_suite_there_is_no_developer() -> None:
    assert after_architect(state("specs_ready")) == "developer"
    assert after_architect(state("gave_up")) == "__end__"


def test_without_a_candidate_there_is_no_test() -> None:
    assert after_developer(state("code_generated")) == "test_runner"
    assert after_developer(state("gave_up")) == "__end__"


def test_a_debugger_that_gave_up_leaves_the_best_candidate_to_the_reviewer() -> None:
    assert after_debugger(state("code_patched")) == "test_runner"
    assert after_debugger(state("gave_up")) == "reviewer"
