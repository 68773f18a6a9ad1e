"""Forks side by side: the first that is VERIFIED wins, and the others stop at the end of their present step."""

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox import Job, Progress, Sandbox, TestReport
from src.cli.audience import Audience
from src.cli.choice import Choice
from src.cli.console import open_console, write_out
from src.cli.execute import Workshop, execute, ready_sandbox
from src.cli.interrupt import stoppable
from src.cli.plain import PlainView, QuietView
from src.cli.plan import Plan
from src.cli.table import print_table
from src.cli.view import View
from src.cli.words import dollars, tokens
from src.config import Settings
from src.errors import ExitCode
from src.ledger import Shared
from src.report import RunReport
from src.text import one_line

if TYPE_CHECKING:
    from langgraph.runtime import RunControl


@dataclass(frozen=True)
class Entrant:
    """One of the forks."""

    plan: Plan
    """What it does."""
    settings: Settings
    """Its models, among all else."""
    choice: Choice
    """What sets it apart."""


class Borrowed:
    """A sandbox that several runs use, and that none of them makes ready or closes."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.name = sandbox.name

    def prepare(self, progress: Progress) -> None:
        """It is ready."""

    def run(self, job: Job) -> TestReport:
        """The verdict on `job`."""
        return self._sandbox.run(job)

    def run_many(self, jobs: Sequence[Job]) -> list[TestReport]:
        """The verdicts on `jobs`."""
        return self._sandbox.run_many(jobs)

    def settle(self) -> None:
        """Its owner does."""

    def close(self) -> None:
        """Its owner does."""

    def __enter__(self) -> "Borrowed":
        return self

    def __exit__(self, *_: object) -> None:
        """Its owner closes it."""


def tournament(entrants: Sequence[Entrant], audience: Audience, workshop: Workshop | None = None) -> int:
    """Run the forks, show the table of all, and return the exit code of the winner, else of the best.

    `workshop`: makes the sandbox; without one, as the settings of the first say.
    """
    first = workshop or Workshop(entrants[0].settings, view_of(audience, ""))
    with stoppable() as interrupted, ready_sandbox(first) as sandbox:
        reports = compete(entrants, audience, Borrowed(sandbox), interrupted)
    ranked = sorted(reports, key=_rank)
    if audience.json:
        write_out("[" + ",\n".join(report.model_dump_json(indent=2) for report in ranked) + "]\n")
    told = {entrant.plan.run_id: entrant.choice.title for entrant in entrants}
    print_table(open_console(error=audience.json), *table_of(ranked, told), folded=("models", "ended by"))
    return ranked[0].exit_code


def compete(
    entrants: Sequence[Entrant], audience: Audience, sandbox: Sandbox, interrupted: "Future[None]"
) -> list[RunReport]:
    """The reports of all, in the order of `entrants`. Once it is `interrupted` every fork stops, and nobody waits any
    longer for a model; what each has reached is told as ever.
    """
    from langgraph.runtime import RunControl

    controls = [RunControl() for _ in entrants]
    shared = Shared()
    with ThreadPoolExecutor(len(entrants), thread_name_prefix="fork") as pool:
        running: dict[Future[RunReport], int] = {}
        for number, entrant in enumerate(entrants):
            own = Workshop(
                entrant.settings,
                view_of(audience, entrant.plan.run_id),
                lambda _settings: sandbox,
                control=controls[number],
                shared=shared,
                interrupted=interrupted,
            )
            running[pool.submit(execute, entrant.plan, own)] = number
        with contextlib.suppress(KeyboardInterrupt), _stopping(controls, "interrupted."):
            for done in _as_they_end(running):
                if done.result().verdict == "VERIFIED":  # raises what that fork could not be begun for
                    _stop(controls, f"{done.result().run_id} was VERIFIED first.")
        return [future.result() for future in running]


def view_of(audience: Audience, run_id: str) -> View:
    """Plain lines that begin with the run they are about: nothing may move while several are shown."""
    console = open_console(error=audience.json)
    return QuietView(console) if audience.quiet else PlainView(console, f"[{run_id}] " if run_id else "")


def table_of(ranked: Sequence[RunReport], told: dict[str, str]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows, the winner first."""
    rows = []
    for place, report in enumerate(ranked):
        counts = report.test_results.counts if report.test_results else None
        total = report.usage.total
        used = None if total.input_tokens is None else total.input_tokens + (total.output_tokens or 0)
        rows.append(
            [
                report.run_id,
                told.get(report.run_id, ""),
                f"{report.verdict}{', won' if place == 0 and report.verdict == 'VERIFIED' else ''}",
                f"{counts.passed} of {counts.collected}" if counts else "-",
                str(report.iterations),
                tokens(used),
                dollars(total.cost),
                f"{report.seconds:.1f}",
                one_line(report.problem.message, 60) if report.problem else "",
            ]
        )
    return ["run", "models", "verdict", "tests", "iterations", "tokens", "cost", "seconds", "ended by"], rows


def _as_they_end(running: dict["Future[RunReport]", int]) -> Iterator["Future[RunReport]"]:
    left = set(running)
    while left:
        done, left = wait(left, return_when=FIRST_COMPLETED)
        yield from sorted(done, key=lambda future: running[future])


@contextlib.contextmanager
def _stopping(controls: Sequence["RunControl"], reason: str) -> Iterator[None]:
    """Whatever ends this early stops the runs as well; the pool waits for them."""
    try:
        yield
    except BaseException:
        _stop(controls, reason)
        raise


def _stop(controls: Sequence["RunControl"], reason: str) -> None:
    for control in controls:
        if not control.drain_requested:
            control.request_drain(reason)


def _rank(report: RunReport) -> tuple[bool, bool, int]:
    """The winner first; it alone was not stopped, or ended before anybody was."""
    passed = report.test_results.counts.passed if report.test_results else -1
    return report.verdict != "VERIFIED", report.exit_code == ExitCode.INTERRUPTED, -passed
