"""`selfheal runs`: every run in the database, the newest first."""

from typing import Any

from rich.text import Text

from src.cli.console import open_console
from src.cli.listing import cost_of, moment, show_json, show_table, standing_of, tests_of
from src.cli.stored import address_of, runs_of
from src.config import load_settings
from src.runs import SavedRun, UnreadableRun
from src.text import one_line
from src.usage import totals

HEADINGS = ("run", "when (UTC)", "status", "tests", "passes", "cost", "asked for")


def runs_command(*, json: bool) -> int:
    """List all runs and return the exit code."""
    settings = load_settings()
    address_of(settings).check()
    found = list(runs_of(settings).all())
    if json:
        show_json([_data(run) for run in found])
    elif found and open_console().is_terminal:
        _show([_row(run) for run in found])
    elif found:
        show_table(HEADINGS, [_row(run) for run in found])
    else:
        open_console().print(f"No run is saved in {one_line(str(address_of(settings)), 500)}.", soft_wrap=True)
    return 0


def _show(rows: list[tuple[str, ...]]) -> None:
    """Two lines for each run, so that no name is ever cut off."""
    console = open_console()
    width = min(38, max(len(row[0]) for row in rows))
    for name, when, status, tests, passes, cost, request in rows:
        style = {"VERIFIED": "green", "UNVERIFIED": "red"}.get(status, "yellow")
        line = f"{one_line(name):<{width}}  {status:<10} {tests:>7} {passes:>5} {cost:>10}"
        console.print(Text(line, style=style), soft_wrap=True)
        console.print(Text(f"    {when}  {one_line(request, 400)}"), no_wrap=True, overflow="ellipsis")


def _row(run: SavedRun | UnreadableRun) -> tuple[str, ...]:
    if isinstance(run, UnreadableRun):
        return (run.run_id, moment(run.started_at), "unreadable", "-", "-", "-", run.reason)
    state = run.state
    passes = f"{state['iteration']}/{state['max_iterations']}"
    return (
        run.run_id,
        moment(run.started_at),
        standing_of(run),
        tests_of(state),
        passes,
        cost_of(run.calls),
        state["user_request"],
    )


def _data(run: SavedRun | UnreadableRun) -> dict[str, Any]:
    known = {"run_id": run.run_id, "started_at": run.started_at or None}
    if isinstance(run, UnreadableRun):
        return {**known, "status": "unreadable", "reason": run.reason}
    total = totals(run.calls).total
    return {
        **known,
        "status": standing_of(run),
        "user_request": run.state["user_request"],
        "tests": tests_of(run.state),
        "iterations": run.state["iteration"],
        "max_iterations": run.state["max_iterations"],
        "cost": total.cost,
        "cost_unknown": total.cost_unknown,
        "forked_from": run.origin or None,
    }
