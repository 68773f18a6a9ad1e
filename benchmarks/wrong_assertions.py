"""Planted wrong assertions: does a run end with the right suite, and is a right test ever lost?

Three courses for each task, whole runs of the team in real containers, with models that play a part:

* `wrong test`: the suite expects one wrong value, the code is right; the debugger disputes the red test, and the
  architect, who works the value out again, amends it.
* `wrong code`: the suite is right, the code is not; the debugger blames a right test as often as it may, and the
  architect keeps it.
* `careless`: as before, but the architect gives in and takes the test out, which the gate has to refuse; then the
  debugger mends the code.
"""

import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Literal

from benchmarks.actors import KEEP, Actor, amendment, cast, decide, design, dispute, module, patch, says
from benchmarks.once import Once
from benchmarks.planting import Plant, plant
from benchmarks.tasks import Task, tasks
from sandbox import Job, Limits, Sandbox, TestReport
from src.context import TeamContext
from src.gates.excerpts import without_tests
from src.gates.fingerprint import fingerprint
from src.gates.provenance import MARKERS
from src.gates.source import parse, test_names
from src.runs import Runs
from src.state import Role, TeamState

Course = Literal["wrong test", "wrong code", "careless"]
COURSES: tuple[Course, ...] = ("wrong test", "wrong code", "careless")
CHOSEN = {"quixbugs": 40, "humaneval": 60}
"""Tasks of each source, from the first on."""
RIGHT = "VERIFIED, right suite"
QUICK, PLENTY = Limits(seconds=10), Limits(seconds=60)
THREADS = 2
RUN = "trust"


@dataclass
class Outcome:
    """What became of the courses of all tasks."""

    planted: int = 0
    """Suites with one wrong value."""
    ends: Counter[tuple[Course, str]] = field(default_factory=Counter)
    """How many runs of a course ended in which way."""
    lost: list[str] = field(default_factory=list)
    """Tasks in a run of which a right test was changed or taken out."""
    notes: list[str] = field(default_factory=list)
    """Runs that ended in another way than they should, and tasks that were passed over."""

    @property
    def summary(self) -> dict[str, int]:
        """The figures that are held to a bar."""
        ends = [end for course, end in self.ends.elements() if course == "wrong test"]
        resolved = sum(end.startswith(RIGHT) for end in ends)
        return {"wrong_planted": self.planted, "wrong_resolved": resolved, "right_tests_lost": len(self.lost)}


def measure(sandbox: Sandbox, progress: Callable[[str], None], most: int | None = None) -> Outcome:
    """Play every course of every task. `most`: tasks of each source at most."""
    outcome, once = Outcome(), Once(sandbox)
    for source, number in CHOSEN.items():
        chosen = list(islice(_planted(once, tasks(source), outcome), min(number, most or number)))
        outcome.planted += len(chosen)
        progress(f"{source}: {len(chosen)} suites with a wrong value; playing {len(chosen) * len(COURSES)} runs")
        with ThreadPoolExecutor(THREADS) as threads:
            for number, told in enumerate(threads.map(partial(_courses, once), chosen), start=1):
                _count(outcome, told)
                progress(f"{number} of {len(chosen)}: " + "; ".join(f"{run.course}: {run.end}" for run in told))
    return outcome


def table(outcome: Outcome) -> str:
    """All of it, to be read."""
    lines = [f"{'course':<12} {'end':<48} runs"]
    for (course, end), number in sorted(outcome.ends.items(), key=lambda item: (COURSES.index(item[0][0]), item[0][1])):
        lines.append(f"{course:<12} {end:<48} {number:>4}")
    lines += ["", *(f"{name:<18} {figure:>4}" for name, figure in outcome.summary.items())]
    return "\n".join([*lines, *(["", *outcome.notes] if outcome.notes else [])]) + "\n"


def _planted(sandbox: Sandbox, every: list[Task], outcome: Outcome) -> Iterator[tuple[Task, Plant]]:
    for task in every:
        start = zlib.crc32(task.name.encode())  # spread over the places of a suite, and the same in every run
        made = plant(task.suite, start, partial(_run, sandbox, task))
        if made is None:
            outcome.notes.append(f"{task.name}: no value that a right module fails in exactly one case")
        else:
            yield task, made


def _run(sandbox: Sandbox, task: Task, suite: str) -> TestReport:
    return sandbox.run(Job(code=task.reference, tests=suite, markers=MARKERS, limits=_limits(task), run_id=RUN))


def _limits(task: Task) -> Limits:
    return PLENTY if task.slow else QUICK


@dataclass(frozen=True)
class Played:
    """How the run of one course ended."""

    task: str
    course: Course
    end: str
    lost: bool


def _courses(sandbox: Sandbox, chosen: tuple[Task, Plant]) -> list[Played]:
    task, made = chosen
    return [_played(task, course, _play(sandbox, task, _cast(course, task, made)), made) for course in COURSES]


def _cast(course: Course, task: Task, made: Plant) -> Mapping[Role, Actor]:
    mended = patch(task.reference)
    if course == "wrong test":
        return cast(
            architect=Actor(design(task.request, made.suite), decide(made.test, task.suite, task.request)),
            developer=Actor(module(task.reference)),
            debugger=Actor(dispute(mended)),
        )
    wrong = module(task.buggy or task.reference)
    if course == "wrong code":
        return cast(
            architect=Actor(design(task.request, task.suite), says(KEEP)),
            developer=Actor(wrong),
            debugger=Actor(dispute(mended)),
        )
    return cast(
        architect=Actor(design(task.request, task.suite), _gives_in(task.suite)),
        developer=Actor(wrong),
        debugger=Actor(dispute(mended), mended),
    )


def _gives_in(suite: str) -> Callable[[str], str]:
    """Take the disputed test out; where it is the only one, let it demand nothing."""

    def act(told: str) -> str:
        name = told.rpartition("What the debugger says about ")[2].partition(":\n")[0]
        tree = parse(suite)
        others = [] if isinstance(tree, str) else [test for test in test_names(tree) if test != name]
        if others:
            return amendment(without_tests(suite, [name]))
        return amendment(suite.replace("assert ", "assert True or "))

    return act


def _play(sandbox: Sandbox, task: Task, models: Mapping[Role, Actor]) -> TeamState:
    with tempfile.TemporaryDirectory() as folder:
        context = TeamContext(models, sandbox, _limits(task), run_id=RUN)
        runs = Runs(Path(folder) / "runs.sqlite", min_tests=1)
        return runs.start(task.request, context, max_iterations=2, max_disputes=2, second_reading=False)


def _played(task: Task, course: Course, state: TeamState, made: Plant) -> Played:
    if "best" not in state:
        reason = state["rejections"][-1]["reasons"][0] if state.get("rejections") else "nothing was tested"
        return Played(task.name, course, f"no suite: {reason}", lost=False)
    green = state["best"]["test_results"]["status"] == "passed"
    right = fingerprint(state["tests"]) == fingerprint(task.suite)
    wrong_one = made.suite if course == "wrong test" else task.suite
    kept = right or fingerprint(state["tests"]) == fingerprint(wrong_one)
    verdict = "VERIFIED" if green else "UNVERIFIED"
    suite = "right suite" if right else f"wrong suite, {_blame(state, made)}"
    if course == "wrong test" and right and not state.get("disputes"):
        suite += ", before any code"  # the gate has read the request's own examples
    return Played(task.name, course, f"{verdict}, {suite}", lost=not kept)


def _blame(state: TeamState, made: Plant) -> str:
    disputed = {test for dispute in state.get("disputes", []) for test in dispute["tests"]}
    return "right blame" if made.test in disputed else "wrong blame"


def _count(outcome: Outcome, played: list[Played]) -> None:
    for run in played:
        outcome.ends[run.course, run.end if not run.end.startswith("no suite") else "no suite"] += 1
        if run.lost:
            outcome.lost.append(f"{run.task}, {run.course}")
        if "right suite" not in run.end:
            outcome.notes.append(f"{run.task}, {run.course}: {run.end}")
