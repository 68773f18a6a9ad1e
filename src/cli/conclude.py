"""The end of a run: its report drawn up, its files delivered, both shown."""

from src.artifacts import contents_of, deliver
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
        report = _delivered(plan, state, build_report(state, facts))
        sources = {name: text for name, text in contents_of(state, report).items() if name.endswith(".py")}
        view.close(Closing(report, plan.folder, sources))
    if report.problem:
        complain(report.problem.message, report.problem.remedy)
    return report


def _delivered(plan: Plan, state: TeamState, report: RunReport) -> RunReport:
    """The report once the files are written. A folder that takes no files does not undo the run."""
    try:
        return deliver(plan.folder, state, report, force=plan.force)
    except (ConfigurationError, OSError) as error:
        said = error.message if isinstance(error, ConfigurationError) else f"{plan.folder}: {error.strerror or error}."
        remedy = f"The run is saved. Deliver it elsewhere with: {resume_line(plan.run_id)} --out FOLDER"
        problem = Problem(message=f"The files could not be written: {said}", remedy=remedy)
        return report.model_copy(update={"problem": problem, "exit_code": ExitCode.USAGE})
