"""Carry out a run, started or resumed, from the first check to the files in its folder."""

import shlex
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sandbox import Sandbox, SandboxError, UnknownBackend, open_sandbox
from src.artifacts import contents_of, deliver
from src.cli.console import complain
from src.cli.crew import Crew, assemble_crew, recorded
from src.cli.interrupt import stoppable
from src.cli.view import Closing, Opening, View
from src.config import Settings
from src.context import TeamContext
from src.errors import ConfigurationError, ExitCode, TeamError
from src.events import Progress
from src.report import Problem, RunFacts, RunReport, build_report
from src.runs import Runs
from src.state import Role, TeamState

NO_ISOLATION = (
    "SANDBOX_BACKEND=subprocess isolates nothing: generated code runs with your rights, your files and your network."
)

OpenSandbox = Callable[[Settings], Sandbox]


@dataclass(frozen=True)
class Plan:
    """What must be known to carry out a run; all but `force` and `used` is kept beside its saved state."""

    run_id: str
    """Name of the run."""
    request: str
    """What is asked for."""
    module_name: str
    """Import name of the module."""
    max_iterations: int
    """Passes of the debugger at most."""
    folder: Path
    """Where the files go."""
    started_at: datetime
    """When the run was started (UTC)."""
    transcript: Path | None = None
    """Where replies come from in place of models."""
    record: Path | None = None
    """Where replies are recorded."""
    force: bool = False
    """Whether files of other origin may be overwritten."""
    used: Mapping[Role, int] | None = None
    """Replies taken from the transcript before; `None`: the run is a new one."""

    @property
    def notes(self) -> dict[str, str]:
        """What `resume` needs besides the state."""
        notes = {"folder": str(self.folder.absolute()), "started_at": self.started_at.isoformat()}
        if self.transcript:
            notes["transcript"] = str(self.transcript.absolute())
        if self.record:
            notes["record"] = str(self.record.absolute())
        return notes


@dataclass(frozen=True)
class Stop:
    """What ended a run early."""

    message: str
    """What happened."""
    remedy: str
    """What to do about it."""
    exit_code: ExitCode
    """What the command ends with."""


@dataclass(frozen=True)
class Workshop:
    """What a run is carried out with."""

    settings: Settings
    """What was set from outside."""
    view: View
    """Who shows it."""
    open_sandbox: OpenSandbox = field(default=lambda settings: open_configured_sandbox(settings))
    """Makes the sandbox."""

    @property
    def runs(self) -> Runs:
        """Where runs are saved."""
        return Runs(self.settings.runs_path, max_corrections=self.settings.max_corrections)


def execute(plan: Plan, workshop: Workshop) -> RunReport:
    """Carry out `plan`, deliver what came of it, and return the report with its exit code.

    Everything is checked and the sandbox made ready before the first call to a model. Whatever stops the run, what was
    saved is delivered. Raises `ConfigurationError` when nothing was begun.
    """
    began = time.monotonic()
    check_database(workshop.settings.runs_path)
    crew = assemble_crew(workshop.settings, plan.transcript, plan.used, _teller(workshop.view))
    with stoppable():
        stop = _attempt(plan, workshop, crew)
        facts = RunFacts(
            run_id=plan.run_id,
            started_at=plan.started_at,
            seconds=time.monotonic() - began,
            tiers=crew.tiers,
            replayed=crew.replayed,
            backend=workshop.settings.sandbox.backend,
            problem=Problem(message=stop.message, remedy=stop.remedy) if stop else None,
            exit_code=stop.exit_code if stop else None,
        )
        return conclude(plan, saved_state(plan.run_id, workshop), facts, workshop.view)


def conclude(plan: Plan, state: TeamState | None, facts: RunFacts, view: View) -> RunReport:
    """Deliver and show what there is of a run. `state`: its last saved one; `None`: it never began."""
    if state is None:
        asked = TeamState(
            user_request=plan.request, module_name=plan.module_name, max_iterations=plan.max_iterations, iteration=0
        )
        report = build_report(asked, facts)
    else:
        report = _delivered(plan, state, build_report(state, facts))
        sources = {name: text for name, text in contents_of(state, report).items() if name.endswith(".py")}
        view.close(Closing(report, plan.folder, sources))
    if report.problem:
        complain(report.problem.message, report.problem.remedy)
    return report


def saved_state(run_id: str, workshop: Workshop) -> TeamState | None:
    """The last saved state of a run; `None` when it was stopped before anything was saved."""
    try:
        return workshop.runs.saved(run_id).state
    except ConfigurationError:
        return None


def resume_command(run_id: str) -> str:
    """The command that goes on with a run, as it can be pasted."""
    program = Path(sys.argv[0]).name
    words = ["selfheal"] if program == "selfheal" else [sys.orig_argv[0], "-m", "src.main"]
    return shlex.join([*words, "resume", run_id])


def check_database(path: Path) -> None:
    """Refuse a database that runs cannot be saved in. Raises `ConfigurationError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 0")
    except (OSError, sqlite3.Error) as error:
        raise ConfigurationError(
            f"RUNS_PATH={path} cannot be used: {error}.", "Set RUNS_PATH to a file that can be written."
        ) from None


def open_configured_sandbox(settings: Settings) -> Sandbox:
    """The sandbox that the settings ask for. Raises `ConfigurationError` for a backend that does not exist."""
    options = {"base_image": settings.sandbox.base_image} if settings.sandbox.backend == "docker" else {}
    try:
        return open_sandbox(settings.sandbox.backend, **options)
    except UnknownBackend as error:
        raise ConfigurationError(f"SANDBOX_BACKEND: {error.message}", error.remedy) from None


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
    except TeamError as error:
        return _stop(plan, workshop, error.message, error.remedy, error.exit_code)
    except SandboxError as error:
        return _stop(plan, workshop, error.message, error.remedy, ExitCode.SANDBOX)
    except Exception as error:  # a fault of ours: it goes on its way, with what the user can do
        error.add_note(f"The run may go on with: {resume_command(plan.run_id)}")
        raise
    finally:
        workshop.view.pause()
    return None


def _work(plan: Plan, workshop: Workshop, crew: Crew) -> None:
    settings, view = workshop.settings, workshop.view
    warnings = (NO_ISOLATION,) if settings.sandbox.backend == "subprocess" else ()
    view.open(Opening(plan.run_id, plan.request, crew.tiers, crew.replayed, warnings))
    go_on = plan.used is not None
    with (
        _ready_sandbox(workshop) as sandbox,
        recorded(crew, plan.record, plan.request, plan.module_name, go_on=go_on) as heard,
    ):
        context = TeamContext(heard.models, sandbox, settings.sandbox.limits, plan.run_id, view.event)
        if go_on:
            workshop.runs.resume(plan.run_id, context)
        else:
            workshop.runs.start(
                plan.request,
                context,
                module_name=plan.module_name,
                max_iterations=plan.max_iterations,
                notes=plan.notes,
            )


@contextmanager
def _ready_sandbox(workshop: Workshop) -> Iterator[Sandbox]:
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
    if saved_state(plan.run_id, workshop) is not None:
        go_on = f"What was reached is saved. Go on with: {resume_command(plan.run_id)}"
    else:
        go_on = "Nothing was spent."
    return Stop(message, f"{remedy}\n{go_on}".strip(), exit_code)


def _delivered(plan: Plan, state: TeamState, report: RunReport) -> RunReport:
    """The report once the files are written. A folder that takes no files does not undo the run."""
    try:
        return deliver(plan.folder, state, report, force=plan.force)
    except (ConfigurationError, OSError) as error:
        said = error.message if isinstance(error, ConfigurationError) else f"{plan.folder}: {error.strerror or error}."
        remedy = f"The run is saved. Deliver it elsewhere with: {resume_command(plan.run_id)} --out FOLDER"
        problem = Problem(message=f"The files could not be written: {said}", remedy=remedy)
        return report.model_copy(update={"problem": problem, "exit_code": ExitCode.USAGE})
