"""`selfheal`: run the team on a request, or play an example when there is none."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from src.artifacts import check_folder
from src.cli.ask import choose_asker
from src.cli.audience import Audience, choose_view
from src.cli.console import complain, write_out
from src.cli.crew import check_record
from src.cli.execute import Workshop, execute
from src.cli.plan import Plan
from src.cli.request import Source, read_assignment
from src.config import Settings, load_settings
from src.report import RunReport
from src.runs import check_name, new_run_id
from src.text import count


@dataclass(frozen=True)
class RunOptions:
    """The options of a run besides what is asked for."""

    out: Path | None = None
    """Where the files go; `out/<run>` without it."""
    record: Path | None = None
    """Where the models' replies are recorded."""
    force: bool = False
    """Whether files of other origin may be overwritten."""
    thread: str | None = None
    """Name of the run; one is made from the request without it."""


def run_command(source: Source, options: RunOptions, audience: Audience, flags: Mapping[str, Any]) -> int:
    """Check everything, run the team, and return the exit code. `flags`: settings that were given as options."""
    settings = load_settings(**flags)
    plan = make_plan(source, options, settings, sys.stdin.buffer)
    view = choose_view(audience)
    report = execute(plan, Workshop(settings, view, ask=choose_asker(view, settings.editor)))
    tell(report, audience)
    return report.exit_code


def make_plan(source: Source, options: RunOptions, settings: Settings, stdin: BinaryIO) -> Plan:
    """Check every option and put together what is to be done. Raises `ConfigurationError`; spends nothing."""
    if source.prompt == "-" and sys.stdin.isatty():
        complain("type the request and end it with Ctrl-D.", label="Standard input")
    if settings.approve_when and not settings.approve:
        complain("APPROVE_WHEN says when to ask, but APPROVE not where: nothing is asked.", label="Note")
    assignment = read_assignment(source, stdin)
    if assignment.developers and settings.developers not in (1, assignment.developers):
        told = f"DEVELOPERS={settings.developers} does not count here: the replies are those of"
        complain(f"{told} {count(assignment.developers, 'developer')}.", label="Note")
    check_record(options.record, assignment.transcript, force=options.force)
    run_id = check_name(options.thread) if options.thread is not None else new_run_id(assignment.request)
    folder = options.out or Path("out") / run_id
    check_folder(folder, assignment.module_name, force=options.force)
    return Plan(
        run_id=run_id,
        request=assignment.request,
        module_name=assignment.module_name,
        max_iterations=settings.max_debug_iterations,
        assume=settings.assume,
        second_reading=settings.second_reading,
        developers=assignment.developers or settings.developers,
        approve=settings.approve,
        approve_when=settings.approve_when,
        folder=folder,
        started_at=datetime.now(UTC),
        transcript=assignment.transcript,
        record=options.record,
        force=options.force,
    )


def tell(report: RunReport, audience: Audience) -> None:
    """Print the report as JSON where that was asked for."""
    if audience.json:
        write_out(report.model_dump_json(indent=2) + "\n")
