"""Real tasks with right suites, which lie beside the repository where it is developed, and their labels."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.labels import labelled

DATA = Path(__file__).parent.parent.parent / "shared" / "data"


@dataclass(frozen=True)
class Task:
    """A request, what is right, and what is known to be wrong."""

    name: str
    """Where it is from."""
    request: str
    """What is asked for."""
    reference: str
    """A right module."""
    buggy: str | None
    """A wrong module."""
    suite: str
    """A right suite, labelled as an architect's is."""
    plain_suite: str
    """The same as it was written, without labels."""
    slow: bool
    """Whether the suite takes seconds even when it passes."""


def tasks(source: str) -> list[Task]:
    """The tasks of one file (`humaneval`, `quixbugs`, `exercism`), in its order. Raises `FileNotFoundError`."""
    rows = [json.loads(line) for line in (DATA / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [_task(row) for row in rows]


def _task(row: dict[str, Any]) -> Task:
    plain = without_skips(row["hidden_tests"], row["entry_points"][0])
    return Task(
        name=row["task_id"],
        request=row["prompt"],
        reference=row["reference_solution"],
        buggy=row["buggy_solution"],
        suite=labelled(plain, row["prompt"]),
        plain_suite=plain,
        slow=bool(row.get("notes")),
    )


def without_skips(suite: str, function: str) -> str:
    """Two suites skip a case that takes minutes; a suite that skips is refused, so the case asks something quick."""
    return re.sub(r"pytest\.skip\(.*\)", f"pytest.raises(TypeError, {function}); return", suite)
