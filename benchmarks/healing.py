"""A healing run: a wrong module, wrong patches, then the right one; and what the debugger is sent in it."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.actors import Act, Actor, cast, design, module, patch
from benchmarks.tasks import Task
from sandbox import Job, Limits, Sandbox, TestOutcome, TestReport
from src.context import TeamContext
from src.failures.distill import kinds
from src.failures.labels import unlabelled
from src.failures.telling import FAILED_HERE
from src.gates.excerpts import sources_of
from src.gates.provenance import MARKERS
from src.reply import Permit, Reply, permitted
from src.runs import Runs
from src.state import Message

RUN = "tokens"
QUICK, PLENTY = Limits(seconds=10), Limits(seconds=60)
DIAGNOSIS = (
    "The condition lets one value too many through, so that the last step is taken once more than it should be and the "
    "result no longer fits what the specification says. The comparison is corrected, and the rest stays as it is."
)
"""As long as what is asked for; later calls tell of it."""
_SIDE = 100
"""Characters of a side of an assertion that have to be told; a side may be a long list."""


class Listener(Actor):
    """An actor that remembers what it was sent."""

    def __init__(self, *acts: Act) -> None:
        super().__init__(*acts)
        self.calls: list[list[Message]] = []
        """The messages of each call."""

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """Play the next act."""
        self.calls.append(list(messages))
        return super().ask(messages, permit)


@dataclass(frozen=True)
class Healing:
    """How a healing run went."""

    verified: bool
    """Whether it ended with the right module."""
    calls: list[list[Message]]
    """What the debugger was sent."""
    refused: str = ""
    """Why nothing was tested: the gate that suites pass does not take this one; empty otherwise."""


def heal(task: Task, wrong: Sequence[str], sandbox: Sandbox) -> Healing:
    """A run in which the developer writes the first of `wrong`, the debugger the others and at last the reference."""
    debugger = Listener(*(patch(code, DIAGNOSIS) for code in [*wrong[1:], task.reference]))
    models = cast(
        architect=Actor(design(task.request, task.suite)), developer=Actor(module(wrong[0])), debugger=debugger
    )
    with tempfile.TemporaryDirectory() as folder:
        context = TeamContext(models, sandbox, limits_of(task), run_id=RUN)
        runs = Runs(Path(folder) / "runs.sqlite", min_tests=1)
        state = runs.start(task.request, context, max_iterations=len(wrong), second_reading=False)
    if "best" not in state:
        return Healing(False, [], state["rejections"][-1]["reasons"][0])
    return Healing(state["best"]["test_results"]["status"] == "passed", debugger.calls)


def limits_of(task: Task) -> Limits:
    """What a test run of the task may use."""
    return PLENTY if task.slow else QUICK


def job_of(task: Task, code: str) -> Job:
    """What the team asks the sandbox about a candidate."""
    return Job(code=code, tests=task.suite, markers=MARKERS, limits=limits_of(task), run_id=RUN)


def untold(report: TestReport, suite: str, told: str) -> Iterator[str]:
    """What a debugger needs to know of `report` and is not told: of the first failing test of each kind its source, its
    exception, the place in the module, and both sides of its assertion.
    """
    plain = told.replace(FAILED_HERE, "")
    red = [test for test in report.tests if test.outcome in ("failed", "error")]
    for test in (alike[0] for alike in kinds(red, suite)):
        yield from (f"{test.id}: {name}" for name, fact in _facts(test, suite) if fact and fact not in plain)


def _facts(test: TestOutcome, suite: str) -> Iterator[tuple[str, str]]:
    yield "source", unlabelled(sources_of(suite, [test.id.partition("[")[0]])).rstrip()
    yield "exception", test.exception.rpartition(".")[2]
    yield "line", test.source
    if test.frames:
        yield "place", f"at line {test.frames[-1].line} of the module"
    if test.comparison is not None:
        yield "left side", test.comparison.left[:_SIDE]
        yield "right side", test.comparison.right[:_SIDE]
