"""`selfheal show RUN`: the report of a run as it is saved. Calls nothing and writes no file."""

from dataclasses import replace

from src.artifacts import contents_of, read_report
from src.cli.ask import how_to_answer
from src.cli.audience import Audience, choose_view
from src.cli.console import complain
from src.cli.execute import Workshop
from src.cli.plan import resume_line
from src.cli.resume import facts_of, plan_of
from src.cli.run import tell
from src.cli.stored import address_of
from src.cli.view import Closing
from src.config import load_settings
from src.report import Problem, RunReport, build_report
from src.runs import SavedRun


def show_command(run_id: str, audience: Audience) -> int:
    """Show a run and return the exit code, which does not depend on the verdict."""
    settings = load_settings()
    address_of(settings).check()
    workshop = Workshop(settings, choose_view(audience))
    saved = workshop.runs.saved(run_id)
    report, closing = shown(saved, workshop)
    if not audience.json:
        workshop.view.close(closing)
        if report.problem:
            complain(report.problem.message, report.problem.remedy, label="Note")
    tell(report, audience)
    return 0


def shown(saved: SavedRun, workshop: Workshop) -> tuple[RunReport, Closing]:
    """The report of a run, finished or not, and what is shown of it."""
    plan = plan_of(saved, None, force=False)
    facts = replace(facts_of(plan, saved, workshop), problem=_unfinished(saved))
    report = build_report(saved.state, facts)
    earlier = read_report(plan.folder)
    if earlier is not None and earlier.run_id == saved.run_id:
        report = report.model_copy(update={"files": earlier.files})
    sources = {name: text for name, text in contents_of(saved.state, report).items() if name.endswith(".py")}
    return report, Closing(report, plan.folder, sources)


def _unfinished(saved: SavedRun) -> Problem | None:
    if saved.approval:
        told = f"The run waits for an answer. {saved.approval.question}"
        return Problem(message=told, remedy=how_to_answer(saved.run_id, saved.approval))
    if saved.finished:
        return None
    return Problem(message="The run is not at its end.", remedy=f"Go on with: {resume_line(saved.run_id)}")
