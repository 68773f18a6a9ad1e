"""Going back in a run: finding a step, and what had been asked of the models until then."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from src.candidates import called
from src.errors import ConfigurationError
from src.runs.edits import Branch
from src.runs.saved import DONE, NOTE, Step
from src.state import Call, TeamState

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.types import StateSnapshot

SHORTEST = 8
"""Characters of a checkpoint's id that name it at least."""


def step_called(steps: Sequence[Step], at: str) -> Step:
    """The step of that number, or of the checkpoint whose id is or ends in `at`. Raises `ConfigurationError`."""
    numbers = {str(step.number): step for step in steps}
    named = [step for step in steps if len(at) >= SHORTEST and step.checkpoint_id.endswith(at)]
    if at in numbers:
        step = numbers[at]
    elif len(named) == 1:
        step = named[0]
    else:
        raise ConfigurationError(
            f"The run has no step {at[:80]!r}.",
            f"Choose one from 0 to {len(steps) - 1}; `selfheal history` lists them.",
        )
    return steps[1] if step.next == ("__start__",) and len(steps) > 1 else step


def replies_until(
    checkpoint_id: str, found: Sequence["StateSnapshot"], saver: "BaseCheckpointSaver[Any]", calls: Sequence[Call]
) -> Counter[str]:
    """Answers that each role, or each of several developers, had given on the way to a checkpoint.

    `found`: the run's history, whatever its order.
    """
    shots = {str(shot.config["configurable"]["checkpoint_id"]): shot for shot in found}
    tasks: set[str] = set()
    parent = shots[checkpoint_id].parent_config
    while parent is not None:
        shot = shots[str(parent["configurable"]["checkpoint_id"])]
        for task in shot.tasks:
            tasks |= {task.id, *_inside(saver, shot, f"{task.name}:{task.id}")}
        parent = shot.parent_config
    answered = [call for call in calls if call["standing"] == "answered"]
    return Counter(asked(call) for call in answered if task_of(call) in tasks)


def asked(call: Call) -> str:
    """Who was asked: a role, or one of several developers."""
    return called(call["role"], call.get("developer", 0))


def task_of(call: Call) -> str:
    """The LangGraph task that a call was made in; its id is `role-task.number`."""
    return call["id"].removeprefix(f"{call['role']}-").rpartition(".")[0]


def _inside(saver: "BaseCheckpointSaver[Any]", shot: "StateSnapshot", namespace: str) -> set[str]:
    """Tasks inside a box."""
    thread = shot.config["configurable"]["thread_id"]
    inner = saver.list({"configurable": {"thread_id": thread, "checkpoint_ns": namespace}})
    return {str(write[0]) for one in inner for write in one.pending_writes or ()}


def noted(notes: Mapping[str, str]) -> dict[str, str]:
    """Notes as they lie among the metadata of a checkpoint."""
    return {NOTE + key: value for key, value in notes.items()}


def begun(run_id: str, done: str, notes: Mapping[str, str], checkpoint_id: str | None = None) -> "RunnableConfig":
    """Where the first checkpoint of a replay or a fork goes, and what is kept beside it."""
    behind = {"checkpoint_id": checkpoint_id} if checkpoint_id else {}
    return {
        "configurable": {"thread_id": run_id, "checkpoint_ns": "", **behind},
        "metadata": {DONE: done, **noted(notes)},
    }


def nothing_new(branch: Branch) -> TeamState:
    """An update that changes nothing; LangGraph takes no empty one for the start of a run."""
    return TeamState(status=branch.state["status"])
