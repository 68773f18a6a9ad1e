"""Tables and data on standard output: what the commands that look at saved runs have in common."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rich.table import Table
from rich.text import Text

from sandbox import TestReport
from src.cli.console import open_console, write_out
from src.cli.words import dollars
from src.report import RunFacts, build_report
from src.runs import SavedRun
from src.state import Call, TeamState, measured_best
from src.text import one_line
from src.usage import totals

NEVER = datetime.fromtimestamp(0, UTC)
"""When a run was started, where nobody asks."""


def show_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table that fits the terminal; where there is none, a line for each row with nothing cut off."""
    console = open_console()
    if not console.is_terminal:
        write_out("".join("\t".join(one_line(cell, 500) for cell in row) + "\n" for row in [headings, *rows]))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(one_line(cell, 500)) for cell in row))
    console.print(table)


def show_json(data: Any) -> None:
    """Data for a program."""
    write_out(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def standing_of(saved: SavedRun) -> str:
    """Where a run stands, in a word."""
    if saved.at_work:
        return "at work"
    if saved.approval:
        return "paused"
    return "stopped" if not saved.finished else verdict_of(saved)


def verdict_of(saved: SavedRun) -> str:
    """The verdict that the report of a run gives."""
    facts = RunFacts(saved.run_id, NEVER, 0.0, {}, "", calls=saved.calls)
    return build_report(saved.state, facts).verdict


def tests_of(state: TeamState) -> str:
    """Tests that the best candidate passed, of all."""
    best = measured_best(state)
    if best is None:
        return "-"
    counts = TestReport.model_validate(best["test_results"]).counts
    return f"{counts.passed}/{counts.collected}"


def cost_of(calls: Sequence[Call]) -> str:
    """What some calls cost; a cost that is not known is a dash, one that is known in part has a sign before it."""
    total = totals(calls).total
    partial = total.cost is not None and total.cost_unknown > 0
    return f"≥ {dollars(total.cost)}" if partial else dollars(total.cost)


def moment(iso: str) -> str:
    """A time to the second, as a person reads it (UTC)."""
    return iso[:19].replace("T", " ") if iso else "-"
