"""Where a run goes next."""

import pytest

from src.edges import (
    after_architect,
    after_assumptions,
    after_debugger,
    after_developer,
    after_dispute,
    after_person,
    after_test_runner,
)
from src.open_points import OpenQuestion
from src.state import Assume, Status, TeamState


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
    assert after_architect(suite("example")) == "developer"
    assert after_architect(state("gave_up")) == "__end__"


def suite(*kinds: str, second_reading: bool = True, assume: Assume = "list") -> TeamState:
    """A state with a suite of one test for each label."""
    marked = (f'@pytest.mark.{kind}("some words")\ndef test_{kind}():\n    assert f()\n' for kind in kinds)
    tests = "import pytest\nfrom solution import f\n\n" + "\n".join(marked)
    return TeamState(status="specs_ready", tests=tests, second_reading=second_reading, assume=assume)


@pytest.mark.parametrize(
    ("given", "node"),
    [
        (suite(), "developer"),
        (suite("request"), "reader"),
        (suite("property", "example"), "reader"),
        (suite("assumption"), "reader"),
        (suite("assumption", assume="drop"), "assumptions"),
        (suite("assumption", "request", assume="drop"), "reader"),
        (suite("assumption", second_reading=False), "assumptions"),
        (suite("request", second_reading=False), "developer"),
    ],
)
def test_what_the_request_may_not_say_is_looked_at_before_code_is_written(given: TeamState, node: str) -> None:
    assert after_architect(given) == node


def test_a_person_is_asked_first_and_without_a_test_nothing_is_developed() -> None:
    open_question = OpenQuestion(question="What?", reading="", options=[])
    assert after_assumptions(TeamState(status="specs_ready", open_questions=[open_question])) == "person"
    assert after_assumptions(TeamState(status="specs_ready", open_questions=[])) == "developer"
    assert after_assumptions(TeamState(status="nothing_binds", open_questions=[])) == "__end__"


def test_an_answer_against_the_suite_goes_back_to_the_architect() -> None:
    open_question = OpenQuestion(question="What?", reading="", options=[])
    assert after_person(TeamState(status="starting", open_questions=[open_question])) == "person"
    assert after_person(TeamState(status="starting", open_questions=[])) == "architect"
    assert after_person(TeamState(status="specs_ready", open_questions=[])) == "assumptions"


def test_without_a_candidate_there_is_no_test() -> None:
    assert after_developer(state("code_generated")) == "test_runner"
    assert after_developer(state("gave_up")) == "__end__"


def test_a_debugger_that_gave_up_leaves_the_best_candidate_to_the_reviewer() -> None:
    assert after_debugger(state("code_patched")) == "test_runner"
    assert after_debugger(state("gave_up")) == "reviewer"


def test_a_dispute_goes_to_whoever_decides_it() -> None:
    assert after_debugger(state("tests_disputed", 3)) == "dispute"


def test_an_amended_suite_is_run_in_any_case_and_a_kept_one_is_for_the_debugger() -> None:
    assert after_dispute(state("tests_amended", 3)) == "test_runner"
    assert after_dispute(state("tests_kept", 2)) == "debugger"
    assert after_dispute(state("tests_kept", 3)) == "reviewer"
