"""The main job on real input: each QuixBugs program goes in with its bug and comes out verified, in the real container.

Models are replayed: the architect hands over the suite, the developer the buggy program, the debugger the right one.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.labels import labelled
from sandbox import Limits, Sandbox
from src.events import NodeFinished
from src.prompts import fenced
from tests.conftest import RunsReadOnce

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "quixbugs.jsonl"
ENOUGH, PLENTY = Limits(seconds=4), Limits(seconds=60)
"""Three bugs never end and cost the whole limit; the suites with a note run for seconds even when they pass."""


def tasks() -> list[Any]:
    if not DATA.is_file():
        return [pytest.param({}, marks=pytest.mark.skip("the QuixBugs tasks do not lie beside this repository"))]
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(row, id=row["task_id"].partition("/")[2]) for row in rows]


def without_skips(task: dict[str, Any]) -> str:
    """Two suites skip a case that takes minutes; a suite that skips is refused, so the case asks something quick."""
    quick = f"pytest.raises(TypeError, {task['entry_points'][0]}); return"
    return re.sub(r"pytest\.skip\(.*\)", quick, task["hidden_tests"])


def design(task: dict[str, Any], suite: str) -> str:
    """What the architect answers."""
    return f"### SPECIFICATIONS\n\n{task['prompt']}\n\n### TESTS\n\n{fenced(suite, 'python')}\n"


def run(task: dict[str, Any], suite: str, sandbox: Sandbox, folder: Path, team: Callable[..., Any]) -> tuple[Any, Any]:
    """Run the team on a task; the last state, and the status of each test run in order."""
    suite = labelled(suite, task["prompt"])
    crew = team(
        sandbox,
        "quixbugs",
        architect=[design(task, suite)],
        developer=[fenced(task["buggy_solution"], "python")],
        debugger=[f"### DIAGNOSIS\n\nKnown.\n\n### PATCHED_CODE\n\n{fenced(task['reference_solution'], 'python')}\n"],
        reviewer=["The bug is repaired."],
    )
    context = replace(crew.context, limits=PLENTY if task["notes"] else ENOUGH)
    state = RunsReadOnce(folder / "runs.sqlite", min_tests=1).start(task["prompt"], context, max_iterations=1)
    measured = [
        event.update["test_results"]["status"]
        for event in crew.events
        if isinstance(event, NodeFinished) and event.node == "test_runner"
    ]
    return state, measured


@pytest.mark.docker
@pytest.mark.parametrize("task", tasks())
def test_a_real_bug_goes_red_and_is_healed(
    task: dict[str, Any], shared_container: Sandbox, tmp_path: Path, team: Callable[..., Any]
) -> None:
    state, (first, second) = run(task, without_skips(task), shared_container, tmp_path, team)
    assert first in {"failed", "timeout", "out_of_memory"}
    assert second == "passed"
    counts = state["best"]["test_results"]["counts"]
    assert counts["passed"] == counts["collected"] >= task["n_tests"]


@pytest.mark.docker
@pytest.mark.parametrize("task", [task for task in tasks() if "skip" in str(task.values[0].get("notes"))])
def test_a_suite_that_skips_a_test_is_refused_before_any_code_is_written(
    task: dict[str, Any], shared_container: Sandbox, tmp_path: Path, team: Callable[..., Any]
) -> None:
    crew = team(shared_container, "quixbugs", architect=[design(task, task["hidden_tests"])])
    state = RunsReadOnce(tmp_path / "runs.sqlite", max_corrections=0, min_tests=1).start(task["prompt"], crew.context)
    (refusal,) = state["audit"]
    assert (refusal["gate"], refusal["action"], state["status"]) == ("suite", "gave up", "gave_up")
    assert "leaves a test out" in refusal["reason"]
