"""Real solutions with their real suites: a split run of each agrees with the run in one process."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EVERY = 8
"""So many of them stand for one, or the tests would take minutes longer; 1 runs all."""
PATCHES_THE_MODULE = {"exercism/grep"}
"""Suites that replace names of the module: these say so."""


@pytest.mark.parametrize("source", ["quixbugs", "exercism", "humaneval"])
def test_the_reference_solutions_pass_in_two_processes(
    source: str, shared_data: Path, tmp_path: Path, split_into: Callable[..., Any]
) -> None:
    wrong = {}
    for line in (shared_data / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()[::EVERY]:
        task = json.loads(line)
        job = tmp_path / task["task_id"].replace("/", "-")
        told = split_into(job, task["reference_solution"], task["hidden_tests"])
        excused = bool(told.cannot_carry) == (task["task_id"] in PATCHES_THE_MODULE)
        if not (told.green and excused):
            wrong[task["task_id"]] = (told.failed, told.broken, told.cannot_carry)
    assert wrong == {}
