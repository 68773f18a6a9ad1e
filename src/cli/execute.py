"""Carry out a run, started or resumed, from the first check to the files in its folder."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sandbox import Sandbox, SandboxError, UnknownBackend, open_sandbox
from src.approvals import Answer
from src.cli.ask import Asker, how_to_answer, nobody
from src.cli.budget import check_budget, forecast_line
from src.cli.conclude import conclude
from src.cli.console import complain
from src.cli.crew import Crew, assemble_crew, recorded
from src.cli.interrupt import stoppable
from src.cli.plan import Plan, Travel, resume_line
from src.cli.stored import address_of, project_of, runs_of
from src.cli.view import Opening, View
from src.config import Settings
from src.context import TeamContext
from src.errors import ConfigurationError, ExitCode, Paused, TeamError
from src.events import Progress
from src.ledger import Budget, Ledger, Shared
from src.report import Problem, RunFacts, RunReport
from src.runs import Runs, SavedRun

if TYPE_CHECKING:
    from concurrent.futures import Future

    from langgraph.runtime import RunControl

NO_ISOLATION = (
    "SANDBOX_BACKEND=subprocess isolates nothing: generated code runs with your rights, your files and your network."
)


def open_configured_sandbox(settings: Settings) -> Sandbox:
    """The sandbox that the settings ask for. Raises `ConfigurationError` for a backend that does not exist."""
    chosen = settings.sandbox
    engine = {"base_image": chosen.base_image, "packages": chosen.packages, "runtime": chosen.runtime}
    parked = {"pool_size": chosen.pool, "limits": chosen.limits, "series": True}
    try:
        return open_sandbox(chosen.backend, **({**engine, **parked} if chosen.backend == "docker" else {}))
    except UnknownBackend as error:
        raise ConfigurationError(f"SANDBOX_BACKEND: {error.message}", error.remedy) from None


@dataclass(frozen=True)
class Stop:
    """What ended a run early."""

    problem: Problem
    """What happened, and what to do about it."""
    exit_code: ExitCode
    """What the command ends with."""


@dataclass(frozen=True)
class Workshop:
    """What a run is carried out with."""

    settings: Settings
    """What was set from outside."""
    view: View
    """Who shows it."""
    open_sandbox: Callable[[Settings], Sandbox] = open_configured_sandbox
    """Makes the sandbox."""
    ask: Asker = nobody
    """Puts what the run asks to a person."""
    control: "RunControl | None" = None
    """Can stop the run from outside."""
    shared: Shared | None = None
    """The budget, when several runs share one."""
    interrupted: "Future[None] | None" = None
    """Done once the run is to end at once."""

    @property
    def runs(self) -> Runs:
        """Where runs are saved."""
        return runs_of(self.settings)


def execute(plan: Plan, workshop: Workshop) -> RunReport:
    """Carry out `plan`, deliver what came of it, and return the report with its exit code.

    Everything is checked and the sandbox made ready before the first call to a model. Whatever stops the run, what was
    saved is delivered. Raises `ConfigurationError` when nothing was begun.
    """
    began = time.monotonic()
    address_of(workshop.settings).check()
    if plan.used is None:
        workshop.runs.check_free(plan.run_id)
    crew = assemble_crew(workshop.settings, plan.transcript, plan.used, _teller(workshop.view))
    check_budget(crew, workshop.settings)
    with stoppable() as interrupted:
        stop = _attempt(plan, replace(workshop, interrupted=workshop.interrupted or interrupted), crew)
        saved = saved_run(plan.run_id, workshop)
        facts = RunFacts(
            run_id=plan.run_id,
            started_at=plan.started_at,
            seconds=time.monotonic() - began,
            tiers=crew.tiers,
            replayed=crew.replayed,
            backend=workshop.settings.sandbox.backend,
            problem=stop.problem if stop else None,
            exit_code=stop.exit_code if stop else None,
            calls=saved.calls if saved else (),
            origin=saved.origin if saved else "",
            waits_for=saved.approval if saved else None,
        )
        return conclude(plan, saved.state if saved else None, facts, workshop.view)


def saved_run(run_id: str, workshop: Workshop) -> SavedRun | None:
    """What is saved of a run; `None` when it was stopped before anything was saved."""
    try:
        return workshop.runs.saved(run_id)
    except ConfigurationError:
        return None


def _teller(view: View) -> Callable[[str], None]:
    return lambda line: view.event(Progress(line))


def _attempt(plan: Plan, workshop: Workshop, crew: Crew) -> Stop | None:
    """Run the team; `None` when it came to its end by itself."""
    try:
        _work(plan, workshop, crew)
    except KeyboardInterrupt:
        return _stop(plan, workshop, "The run was interrupted.", "", ExitCode.INTERRUPTED)
    except ConfigurationError:
        raise
    except Paused as pause:  # its remedy says already how to go on
        return Stop(Problem(message=pause.message, remedy=pause.remedy), pause.exit_code)
    except TeamError as error:
        return _stop(plan, workshop, error.message, error.remedy, error.exit_code)
    except SandboxError as error:
        return _stop(plan, workshop, error.message, error.remedy, ExitCode.SANDBOX)
    except Exception as error:  # a fault of ours: it goes on its way, with what the user can do
        error.add_note(f"The run may go on with: {resume_line(plan.run_id)}")
        raise
    finally:
        workshop.view.pause()
    return None


def _work(plan: Plan, workshop: Workshop, crew: Crew) -> None:
    settings, view = workshop.settings, workshop.view
    if crew.replayed is None:
        view.event(Progress(forecast_line(crew, plan, settings)))
    warnings = (NO_ISOLATION,) if settings.sandbox.backend == "subprocess" else ()
    view.open(Opening(plan.run_id, plan.request, crew.tiers, crew.replayed, warnings))
    begun = plan.used is not None
    waits = begun and plan.travel is None and plan.answer is None
    answer = _answer(plan.run_id, workshop) if waits else plan.answer
    while True:  # one leg after the other; between them, while a person decides, nothing is kept running
        _leg(plan, workshop, crew, answer, begun=begun)
        plan, begun, answer = replace(plan, travel=None), True, _answer(plan.run_id, workshop)
        if answer is None:
            return


def _leg(plan: Plan, workshop: Workshop, crew: Crew, answer: Answer | None, *, begun: bool) -> None:
    """Run the team until its end, or until a person is asked something."""
    settings = workshop.settings
    with (
        ready_sandbox(workshop) as sandbox,
        recorded(crew, plan.record, plan.request, plan.module_name, go_on=begun, developers=plan.developers) as heard,
    ):
        ledger = Ledger(Budget(settings.budget, settings.max_tokens), shared=workshop.shared)
        context = TeamContext(
            heard.models,
            sandbox,
            settings.sandbox.limits,
            plan.run_id,
            workshop.view.event,
            heard.ladders,
            ledger,
            workshop.control,
            workshop.interrupted,
            crew.embedder,
        )
        if plan.travel:
            _travel(plan.travel, plan, workshop, context)
        elif begun:
            workshop.runs.resume(plan.run_id, context, answer)
        else:
            workshop.runs.start(
                plan.request,
                context,
                module_name=plan.module_name,
                max_iterations=plan.max_iterations,
                max_failure_chars=settings.max_failure_chars,
                extra_packages=settings.sandbox.packages is not None,
                max_disputes=settings.max_disputes,
                assume=plan.assume,
                second_reading=plan.second_reading,
                developers=plan.developers,
                approve=plan.approve,
                approve_when=plan.approve_when,
                notes=plan.notes,
                lessons=project_of(settings) if settings.lessons and crew.replayed is None else None,
            )


def _travel(travel: Travel, plan: Plan, workshop: Workshop, context: TeamContext) -> None:
    if travel.fork:
        workshop.runs.fork(travel.run_id, travel.at, context, travel.changes, plan.notes)
    else:
        workshop.runs.replay(travel.run_id, travel.at, context, plan.notes)


def _answer(run_id: str, workshop: Workshop) -> Answer | None:
    """What a person answers to what the run asks; `None`: it asks nothing. Raises `Paused` when nobody is there."""
    approval = workshop.runs.saved(run_id).approval
    if approval is None:
        return None
    answer = workshop.ask(approval)
    if answer is None:
        raise Paused(f"The run waits for a decision. {approval.question}", how_to_answer(run_id, approval))
    return answer


@contextmanager
def ready_sandbox(workshop: Workshop) -> Iterator[Sandbox]:
    """The sandbox, made ready, and closed afterwards. Raises `SandboxError` and `ConfigurationError`."""
    sandbox = workshop.open_sandbox(workshop.settings)
    try:
        sandbox.prepare(_teller(workshop.view))
        yield sandbox
    finally:
        try:
            sandbox.close()
        except SandboxError as error:  # the verdict stands, but somebody should look
            complain(error.message, error.remedy, label="Warning")


def _stop(plan: Plan, workshop: Workshop, message: str, remedy: str, exit_code: ExitCode) -> Stop:
    if saved_run(plan.run_id, workshop) is not None:
        go_on = f"What was reached is saved. Go on with: {resume_line(plan.run_id)}"
    elif workshop.settings.embedding.model is None:
        go_on = "Nothing was spent."
    else:
        go_on = "Nothing was spent, but for the search for lessons perhaps."
    return Stop(Problem(message=message, remedy=f"{remedy}\n{go_on}".strip()), exit_code)
