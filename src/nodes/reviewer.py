"""The reviewer: what was delivered and measured → a short report in words. It has no part in the verdict."""

from typing import Any

from langgraph.runtime import Runtime

from src.context import Message, TeamContext
from src.errors import ProviderError
from src.gated import Update
from src.parsing import FormatError, parse_review
from src.prompts import conversation
from src.state import TeamState
from src.usage import call_record


def review(state: TeamState, runtime: Runtime[TeamContext]) -> Update:
    """Ask for a review of the best candidate.

    The verdict stands by then. A reviewer that fails or answers nothing costs the review, not the run.
    """
    try:
        reply = runtime.context.models["reviewer"].ask(_conversation(state))
    except ProviderError as error:
        return {"review_summary": f"There is no review: {error.message}", "status": "completed"}
    done: dict[str, Any] = {"status": "completed", "calls": [call_record("reviewer", reply)]}
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
