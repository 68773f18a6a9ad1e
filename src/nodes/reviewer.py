"""The reviewer: what was delivered and measured → a short report in words. It has no part in the verdict."""

from typing import Any

from langgraph.runtime import Runtime

from src.context import TeamContext
from src.errors import BudgetReached, ProviderError
from src.gated import Update
from src.nodes.calling import call
from src.parsing import FormatError, parse_review
from src.prompts import conversation
from src.state import Message, TeamState


def review(state: TeamState, runtime: Runtime[TeamContext]) -> Update:
    """Ask for a review of the best candidate.

    The verdict stands by then. A reviewer that fails or answers nothing costs the review, not the run. For a run that a
    person ended nothing more is paid.
    """
    if state["status"] == "aborted":
        return {"review_summary": "There is no review: the run was aborted by a person."}
    try:
        reply = call("reviewer", _conversation(state), runtime)
    except (ProviderError, BudgetReached) as error:
        return {"review_summary": f"There is no review: {error.message}", "status": "completed"}
    done: dict[str, Any] = {"status": "completed"}
    try:
        return {**done, "review_summary": parse_review(reply)}
    except FormatError as error:
        return {**done, "review_summary": f"There is no review: {error.reason}"}


def _conversation(state: TeamState) -> list[Message]:
    best = state["best"]
    results = best["test_results"]
    return conversation(
        "reviewer",
        module_name=state["module_name"],
        user_request=state["user_request"],
        verdict="VERIFIED" if results["status"] == "passed" else "UNVERIFIED",
        status=results["status"],
        passed=results["counts"]["passed"],
        collected=results["counts"]["collected"],
        iterations=state.get("iteration", 0),
        debug_history=state.get("debug_history", []),
        code=best["code"],
    )
