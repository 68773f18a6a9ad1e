"""`selfheal history RUN`: the checkpoints of a run, the first one first."""

from typing import Any

from src.cli.listing import cost_of, moment, show_json, show_table, tests_of
from src.cli.stored import address_of, runs_of
from src.config import load_settings
from src.runs import Step
from src.usage import totals

HEADINGS = ("step", "when (UTC)", "done", "status", "tests", "cost so far")


def history_command(run_id: str, *, json: bool) -> int:
    """Show the steps of a run and return the exit code."""
    settings = load_settings()
    address_of(settings).check()
    steps = runs_of(settings).history(run_id)
    if json:
        show_json([_data(step) for step in steps])
    else:
        show_table(HEADINGS, [_row(step) for step in steps])
    return 0


def _row(step: Step) -> tuple[str, ...]:
    return (
        str(step.number),
        moment(step.when),
        step.done.replace("__start__", "request"),
        step.state.get("status", "-"),
        tests_of(step.state),
        cost_of(step.calls),
    )


def _data(step: Step) -> dict[str, Any]:
    total = totals(step.calls).total
    return {
        "step": step.number,
        "checkpoint": step.checkpoint_id,
        "when": step.when,
        "done": step.done,
        "next": list(step.next),
        "status": step.state.get("status"),
        "tests": tests_of(step.state),
        "calls": len(step.calls),
        "cost": total.cost,
        "cost_unknown": total.cost_unknown,
    }
