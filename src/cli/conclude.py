"""The end of a run: its report drawn up, its files delivered, both shown."""

from dataclasses import replace
from pathlib import Path

from src.artifacts import contents_of, deliver, read_report
from src.cli.console import complain
from src.cli.plan import Plan, resume_line
from src.cli.view import Closing, View
from src.errors import ConfigurationError, ExitCode
from src.report import Problem, RunFacts, RunReport, build_report
from src.state import TeamState


def conclude(plan: Plan, state: TeamState | None, facts: RunFacts, view: View) -> RunReport:
    """Deliver and show what there is of a run. `state`: its last saved one; `None`: it never began."""
    if state is None:
        asked = TeamState(
            user_request=plan.request, module_name=plan.module_name, max_iterations=plan.max_iterations, iteration=0
        )
        report = build_report(asked, facts)
    else:
        report = build_report(state, facts)
        plan = replace(plan, folder=folder_for(plan, report))
        report = _delivered(plan, state, report)
        sources = {name: text for name, text in contents_of(state, report).items() if name.endswith(".py")}
        view.close(Closing(report, plan.folder, sources))
    if report.problem:
        label = "Paused" if report.exit_code == ExitCode.PAUSED else "Error"
        complain(report.problem.message, report.problem.remedy, label=label)
    return report


def folder_for(plan: Plan, report: RunReport) -> Path:
    """Where the files go: what an earlier run has verified gives way to a verified module only, unless forced."""
    earlier = read_report(plan.folder)
    keep = earlier is not None and earlier.run_id != report.run_id and earlier.verdict == "VERIFIED"
    if report.verdict == "VERIFIED" or not keep or plan.force:
        return plan.folder
    beside = plan.folder.with_name(f"{plan.folder.absolute().name}.{report.run_id}")
    complain(
        f"{plan.folder} keeps the verified files of an earlier run; those of this one go to {beside}.", label="Note"
    )
    return beside


def _delivered(plan: Plan, state: TeamState, report: RunReport) -> RunReport:
    """The report once the files are written. A folder that takes no files does not undo the run."""
    try:
        return deliver(plan.folder, state, report, force=plan.force)
    except (ConfigurationError, OSError) as error:
        said = error.message if isinstance(error, ConfigurationError) else f"{plan.folder}: {error.strerror or error}."
        remedy = f"The run is saved. Deliver it elsewhere with: {resume_line(plan.run_id)} --out FOLDER"
        problem = Problem(message=f"The files could not be written: {said}", remedy=remedy)
        return report.model_copy(update={"problem": problem, "exit_code": ExitCode.USAGE})
