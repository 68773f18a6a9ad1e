"""When a provider fails one of several developers for good: where others have written, the run goes on without it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from src.audit import audit_entry
from src.candidates import DROPPED_OUT, LEFT_OUT, called, untested
from src.errors import ProviderError
from src.events import EventSink, Progress
from src.runs.saved import with_unfinished
from src.runs.travel import begun
from src.state import TeamState, merge_by_id

if TYPE_CHECKING:
    from langgraph.types import StateSnapshot

    from src.graph import TeamGraph

_WRITTEN = ("candidates", "rejections", "audit", "suspicions", "rungs")
"""What developers hand to the team besides a status."""


def leave_out(
    graph: "TeamGraph", run_id: str, notes: Mapping[str, str], error: ProviderError, on_event: EventSink
) -> bool:
    """End the step of the developers without those whom a provider failed, so that the run can go on.

    `False`, and nothing is changed, when that is no way out: nobody else has written, a person is still asked about
    what somebody has, or a budget stopped somebody.
    """
    found = graph.get_state({"configurable": {"thread_id": run_id}}, subgraphs=True)
    failed = _failed(found)
    if not failed:
        return False
    state: Mapping[str, Any] = with_unfinished(found)
    lines = [
        audit_entry(
            f"developer.{which}-left-out",
            role=called("developer", which),
            gate="provider",
            reasons=[error.message],
            action=LEFT_OUT,
        )
        for which in failed
    ]
    handed_in: dict[str, Any] = {key: state[key] for key in _WRITTEN if key in state}
    update = {**handed_in, "audit": merge_by_id(state.get("audit", []), lines), "status": "code_generated"}
    graph.update_state(begun(run_id, "developer", notes), update, as_node="developer")
    for line in lines:
        on_event(Progress(f"{line['role']} is {LEFT_OUT}: {error.message}"))
    return True


def _failed(found: "StateSnapshot") -> list[int]:
    """The developers who came to nothing; empty when it is not for a provider alone to say so."""
    state: TeamState = found.values  # type: ignore[assignment]  # as it lies there
    stopped = any(task.interrupts or "BudgetReached" in repr(task.error) for task in found.tasks)
    waiting = untested(state.get("candidates", []))
    if stopped or not waiting:
        return []
    out = {line["role"] for line in state.get("audit", []) if line["action"] == DROPPED_OUT}
    wrote = {one["developer"] for one in waiting}
    numbers = range(1, state.get("developers", 1) + 1)
    return [which for which in numbers if which not in wrote and called("developer", which) not in out]
