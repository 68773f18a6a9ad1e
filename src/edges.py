"""The routers: pure functions from state to the next node."""

from typing import Literal

from src.state import TeamState


def after_architect(state: TeamState) -> Literal["developer", "__end__"]:
    """Without a suite there is nothing to develop against."""
    return "__end__" if state["status"] == "gave_up" else "developer"


def after_developer(state: TeamState) -> Literal["test_runner", "__end__"]:
    """Without a candidate there is nothing to test."""
    return "__end__" if state["status"] == "gave_up" else "test_runner"


def after_test_runner(state: TeamState) -> Literal["debugger", "reviewer"]:
    """Green, or nothing left to try: review. Else repair."""
    return "debugger" if state["status"] == "tests_failed" and _tries_left(state) else "reviewer"


def after_debugger(state: TeamState) -> Literal["test_runner", "dispute", "reviewer"]:
    """A patch is tested, a dispute decided; a debugger without corrections left leaves the best candidate so far."""
    if state["status"] == "tests_disputed":
        return "dispute"
    return "reviewer" if state["status"] == "gave_up" else "test_runner"


def after_dispute(state: TeamState) -> Literal["test_runner", "debugger", "reviewer"]:
    """An amended suite is run in any case, so that the verdict speaks of it. A test that was kept is still red."""
    if state["status"] == "tests_amended":
        return "test_runner"
    return "debugger" if _tries_left(state) else "reviewer"


def _tries_left(state: TeamState) -> bool:
    return state.get("iteration", 0) < state["max_iterations"]
