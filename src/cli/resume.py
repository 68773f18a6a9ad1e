"""`selfheal resume RUN`: go on where a run stopped, or show what a finished one came to."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from src.approvals import Answer
from src.artifacts import check_folder, read_report
from src.cli.ask import choose_asker
from src.cli.audience import Audience, choose_view
from src.cli.choice import noted
from src.cli.conclude import conclude
from src.cli.console import complain
from src.cli.crew import assemble_crew
from src.cli.execute import Workshop, execute
from src.cli.plan import KEPT, Plan
from src.cli.run import tell
from src.cli.stored import address_of, runs_of
from src.config import load_settings
from src.report import RunFacts, RunReport
from src.runs import SavedRun, asked, check_answer


def resume_command(
    run_id: str, out: Path | None, audience: Audience, flags: Mapping[str, Any], *, force: bool, answer: Answer | None
) -> int:
    """Go on with a run and return the exit code. `flags`: settings that were given as options."""
    settings = load_settings(**flags)
    address_of(settings).check()
    settings = noted(runs_of(settings).saved(run_id).notes).settings(flags)
    view = choose_view(audience)
    report = resume(
        run_id, out, Workshop(settings, view, ask=choose_asker(view, settings.editor)), force=force, answer=answer
    )
    tell(report, audience)
    return report.exit_code


def resume(
    run_id: str, out: Path | None, workshop: Workshop, *, force: bool = False, answer: Answer | None = None
) -> RunReport:
    """Go on with a run; a finished one is delivered and shown, and nothing is called.

    Raises `ConfigurationError` for a run that is unknown, for an answer that is not allowed, and for a folder that
    cannot take the files.
    """
    saved = workshop.runs.saved(run_id)
    plan = replace(plan_of(saved, out, force=force), answer=check_answer(saved, answer))
    check_folder(plan.folder, plan.module_name, force=force)
    if not saved.finished:
        return execute(plan, workshop)
    complain(f"The run {run_id} is finished; nothing is left to do.", label="Note")
    return conclude(plan, saved.state, facts_of(plan, saved, workshop), workshop.view)


def plan_of(saved: SavedRun, out: Path | None, *, force: bool) -> Plan:
    """What its starter had planned, as far as it is still to be done."""
    notes, state = saved.notes, saved.state
    transcript, record = notes.get("transcript"), notes.get("record")
    started = notes.get("started_at")
    return Plan(
        run_id=saved.run_id,
        request=state["user_request"],
        module_name=state["module_name"],
        max_iterations=state["max_iterations"],
        developers=state.get("developers", 1),
        folder=out or Path(notes.get("folder") or Path("out") / saved.run_id),
        started_at=datetime.fromisoformat(started) if started else datetime.now(UTC),
        transcript=Path(transcript) if transcript else None,
        record=Path(record) if record else None,
        force=force,
        used=_used(saved),
        kept={name: notes[name] for name in KEPT if name in notes},
    )


def _used(saved: SavedRun) -> Counter[str]:
    """Replies that were taken. One that failed was never saved as a call; it is asked for again, as of a model."""
    used = Counter(asked(call) for call in saved.calls if call["standing"] == "answered")
    used.update(json.loads(saved.notes.get("offset", "{}")))
    return used


def facts_of(plan: Plan, saved: SavedRun, workshop: Workshop) -> RunFacts:
    """What the report of a finished run needs; the report that it left says best who served it."""
    earlier = read_report(plan.folder)
    if earlier is not None and earlier.run_id == plan.run_id:
        tiers, replayed, seconds = earlier.tiers, earlier.replayed, earlier.seconds
        backend = earlier.sandbox.backend
    else:
        crew = assemble_crew(workshop.settings, plan.transcript, plan.used, _unheard)
        tiers, replayed, seconds = crew.tiers, crew.replayed, 0.0
        backend = workshop.settings.sandbox.backend
    return RunFacts(
        run_id=plan.run_id,
        started_at=plan.started_at,
        seconds=seconds,
        tiers=tiers,
        replayed=replayed,
        backend=backend,
        calls=saved.calls,
        origin=saved.origin,
    )


def _unheard(_line: str) -> None:
    """Nobody waits for a model here."""
