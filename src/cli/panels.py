"""What is drawn on a terminal when a member of the team is done, and at the end."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from src.artifacts import REPORT_FILE
from src.candidates import called
from src.cli.view import Closing, Opening
from src.cli.words import (
    DUTIES,
    assumption_line,
    candidates_line,
    correction_told,
    count_line,
    dollars,
    measured,
    replay_line,
    sandbox_line,
    test_line,
    tokens,
    told_of,
    verdict_line,
)
from src.events import CorrectionAsked, NodeFinished
from src.report import RunReport
from src.reported import flaky_line, written
from src.text import clean, count, excerpt, one_line, reflowed
from src.usage import Total, Totals

SPEC_LINES = 14
TRACEBACK_LINES = 30
REVIEW_LINES = 40
SOURCE_LINES = 400
DIFFERENCE_LINES = 40


def opening_panel(opening: Opening) -> RenderableType:
    """The banner: what is asked for, who serves each role, and whether any model is called at all."""
    parts: list[RenderableType] = [foreign(excerpt(opening.request, 6), wrap=True), Text(), tier_table(opening)]
    if opening.replayed:
        parts.insert(0, Text(replay_line(opening.replayed) + "\n", style="bold yellow"))
    parts.extend(Text(f"\n{one_line(warning)}", style="bold yellow") for warning in opening.warnings)
    return Panel(Group(*parts), title=Text(f"selfheal · run {one_line(opening.run_id)}"), border_style="cyan")


def tier_table(opening: Opening) -> Table:
    """Who serves each role, at which level, and what they do."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("role", "model", "thinking", "duty"):
        table.add_column(heading, overflow="fold")
    for role, tier in opening.tiers.items():
        model = Text(one_line(f"{tier.provider}:{tier.model}"), style="cyan")
        table.add_row(role, model, tier.thinking_level or "default", DUTIES[role])
    return table


def finished_panel(event: NodeFinished) -> RenderableType:
    """What a member of the team achieved."""
    green, body = _body(event)
    style = {True: "green", False: "red", None: "blue"}[green]
    title = Text(f"{called(event.node, event.developer)} · {event.seconds:.1f} s", style=f"bold {style}")
    return Panel(body, title=title, title_align="left", border_style=style)


def correction_line(event: CorrectionAsked) -> Text:
    """A gate refused something: who is asked again, and why."""
    return Text(f"↻ {one_line(correction_told(event), 300)}", style="yellow")


def _body(event: NodeFinished) -> tuple[bool | None, RenderableType]:
    """Whether it is good news, and the text of the panel."""
    update = event.update
    told = Text(told_of(event.node, update), style="bold")
    if update.get("status") in ("gave_up", "aborted"):
        return False, told
    match event.node:
        case "architect":
            return None, Group(told, prose(update.get("specs"), SPEC_LINES))
        case "assumptions":
            points = update.get("assumptions") or []
            lines = [one_line(assumption_line(point), 500) for point in points]
            return None, foreign("\n".join(lines), wrap=True) if lines else told
        case "test_runner":
            return _tested(update, told)
        case "debugger":
            diagnoses = update.get("debug_history") or [""]
            return None, prose(diagnoses[-1], REVIEW_LINES)
        case "dispute":
            changes = str((update.get("disputes") or [{}])[-1].get("difference", ""))
            return None, Group(told, difference(changes)) if changes else told
        case "reviewer":
            return None, prose(update.get("review_summary"), REVIEW_LINES)
        case _:
            return None, told


def _tested(update: Mapping[str, Any], told: Text) -> tuple[bool, RenderableType]:
    report = measured(update)
    if report is None or report.passed:
        return report is not None, told
    candidates = [Text(candidates_line(written(update)))] if update.get("candidates") else []
    summary = foreign(excerpt(report.error_summary or report.reason, TRACEBACK_LINES))
    return False, Group(Text(count_line(report), style="bold red"), *candidates, summary)


def closing_parts(closing: Closing) -> Iterator[RenderableType]:
    """The code, the suite and the summary."""
    for name, source in closing.sources.items():
        yield Panel(python(source), title=Text(one_line(name), style="bold"), title_align="left", border_style="dim")
    yield summary(closing)
    style = "bold white on green" if closing.report.verdict == "VERIFIED" else "bold white on red"
    yield Text(f" {verdict_line(closing.report)} ", style=style)


def summary(closing: Closing) -> Panel:
    """What the run came to: time, passes, tests, money, files."""
    report = closing.report
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in _facts(report):
        table.add_row(name, Text(one_line(value, 300)))
    if report.files:
        table.add_row("files", Text(one_line(str(closing.folder), 500)))
        for file in (*report.files, REPORT_FILE):
            table.add_row("", Text(f"  {one_line(file)}"))
    return Panel(Group(table, Text(), usage_table(report.usage)), title="summary", border_style="cyan")


def _facts(report: RunReport) -> Iterator[tuple[str, str]]:
    yield "verdict", report.verdict
    yield "time", f"{report.seconds:.1f} s"
    yield "iterations", f"{report.iterations} of {report.max_iterations}"
    yield from _measured_facts(report)
    for point in report.assumptions:
        yield "assumption", assumption_line(point)
    if report.no_second_reading and report.assumptions:
        yield "reading", f"no second reading: {report.no_second_reading}"
    if report.rejections:
        yield "corrections", f"the gates refused {count(len(report.rejections), 'text')}"
    for line in report.audit:
        if line.telling and line.gate != "dispute":
            yield "audit", line.words
    if report.flaky:
        yield "flaky", flaky_line(report.flaky)
    if report.disputes:
        decided = (f"{', '.join(dispute.tests)} {dispute.decision}" for dispute in report.disputes)
        yield "disputes", "; ".join(decided)
    if report.replayed:
        yield "replies", f"{report.replayed.kind}; no model was called"


def _measured_facts(report: RunReport) -> Iterator[tuple[str, str]]:
    yield "tests", test_line(report.test_results) if report.test_results else "none ran"
    if report.candidates:
        yield "candidates", candidates_line(report.candidates)
    if report.test_results:
        yield "sandbox", sandbox_line(report.sandbox)


def usage_table(usage: Totals) -> Table:
    """Tokens and dollars by role. A dash is not zero: it was not told, or the price is unknown."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("role")
    for heading in ("calls", "input", "cached", "output", "thinking", "cost", "seconds"):
        table.add_column(heading, justify="right")
    rows = [*usage.by_role.items(), ("all", usage.total)]
    for name, total in rows:
        counts = (total.input_tokens, total.cached_tokens, total.output_tokens, total.reasoning_tokens)
        table.add_row(name, str(total.calls), *map(tokens, counts), _cost(total), f"{total.seconds:.1f}")
    return table


def _cost(total: Total) -> str:
    """The cost; "≥" when some calls are missing from it."""
    partial = total.cost is not None and total.cost_unknown > 0
    return f"≥ {dollars(total.cost)}" if partial else dollars(total.cost)


def difference(diff: str) -> RenderableType:
    """A change of the suite, with the colours of a diff."""
    return Syntax(
        excerpt(diff, DIFFERENCE_LINES), "diff", theme="ansi_dark", background_color="default", word_wrap=True
    )


def python(source: str) -> RenderableType:
    """Source with syntax colours, however hostile its text."""
    shown = clean(source).rstrip("\n").split("\n")
    text = "\n".join(shown[:SOURCE_LINES])
    code = Syntax(text, "python", theme="ansi_dark", background_color="default", word_wrap=True)
    left = len(shown) - SOURCE_LINES
    return Group(code, Text(f"… {count(left, 'more line')} in the file", style="dim")) if left > 0 else code


def prose(text: object, lines: int) -> Text:
    """The beginning of a text in Markdown, wrapped to the terminal whatever width it was written for."""
    return foreign(excerpt(reflowed(clean(str(text or ""))), lines, width=2000), wrap=True)


def foreign(text: str, *, wrap: bool = False) -> Text:
    """Text that was cleaned; long lines are cut unless it is prose."""
    return Text(text) if wrap else Text(text, no_wrap=True, overflow="ellipsis")
