"""The routers: pure functions from state to the next node."""

from typing import Literal

from langgraph.types import Send

from src.failures.history import strategy
from src.gates.provenance import provenance_of
from src.state import TeamState

ENDED = ("gave_up", "aborted")
"""An author is at its end, or a person ended the run."""


def after_architect(state: TeamState) -> Literal["reader", "assumptions", "developer", "__end__"] | list[Send]:
    """Without a suite there is nothing to develop against. What rests on no words of the request is looked at first."""
    if state["status"] in ENDED:
        return "__end__"
    kinds = {label.kind for label in provenance_of(state["tests"]).values()}
    assumes = "assumption" in kinds
    if state.get("second_reading") and (kinds & {"request", "property"} or (assumes and state["assume"] != "drop")):
        return "reader"
    return "assumptions" if assumes else to_developers(state)


def after_assumptions(state: TeamState) -> Literal["person", "developer", "__end__"] | list[Send]:
    """A person is asked what is to be asked; without a test that binds there is nothing to prove."""
    if state["open_questions"]:
        return "person"
    return "__end__" if state["status"] == "nothing_binds" else to_developers(state)


def to_developers(state: TeamState) -> Literal["developer"] | list[Send]:
    """The developer; several work at once, each on the same state and told which one it is."""
    number = state.get("developers", 1)
    if number == 1:
        return "developer"
    return [Send("developer", {**state, "developer": which}) for which in range(1, number + 1)]


def after_person(state: TeamState) -> Literal["person", "architect", "assumptions"]:
    """One question after the other; what was settled otherwise than the suite demands goes back to the architect."""
    if state["open_questions"]:
        return "person"
    return "architect" if state["status"] == "starting" else "assumptions"


def after_developer(state: TeamState) -> Literal["test_runner", "__end__"]:
    """Without a candidate there is nothing to test. Of several developers each is asked by itself: one is enough."""
    return "__end__" if state["status"] in ENDED else "test_runner"


def after_test_runner(state: TeamState) -> Literal["debugger", "reviewer"]:
    """Green, nothing left to try, or a run that turns in place: review. Else repair."""
    worth_it = _tries_left(state) and strategy(state) != "stop"
    return "debugger" if state["status"] == "tests_failed" and worth_it else "reviewer"


def after_debugger(state: TeamState) -> Literal["test_runner", "dispute", "reviewer"]:
    """A patch is tested, a dispute decided; a debugger without corrections left leaves the best candidate so far."""
    if state["status"] == "tests_disputed":
        return "dispute"
    return "reviewer" if state["status"] in ENDED else "test_runner"


def after_dispute(state: TeamState) -> Literal["test_runner", "debugger", "reviewer"]:
    """An amended suite is run in any case, so that the verdict speaks of it. A test that was kept is still red."""
    if state["status"] == "tests_amended":
        return "test_runner"
    return "debugger" if _tries_left(state) and state["status"] not in ENDED else "reviewer"


def _tries_left(state: TeamState) -> bool:
    return state.get("iteration", 0) < state["max_iterations"]
