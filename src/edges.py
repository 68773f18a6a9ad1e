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
    tries_left = state.get("iteration", 0) < state["max_iterations"]
    return "debugger" if state["status"] == "tests_failed" and tries_left else "reviewer"


def after_debugger(state: TeamState) -> Literal["test_runner", "reviewer"]:
    """A patch is tested; a debugger that used up its corrections leaves the best candidate so far."""
    return "reviewer" if state["status"] == "gave_up" else "test_runner"
