"""A run as plain lines, for pipes, files and logs: one line per event, no colours, nothing that moves."""

from rich.console import Console

from src.artifacts import REPORT_FILE
from src.candidates import called
from src.cli.view import Closing, Finding, Opening
from src.cli.words import (
    assumption_line,
    correction_told,
    listed,
    replay_line,
    told_of,
    verdict_line,
    vetting_line,
)
from src.events import CorrectionAsked, Event, NodeFinished, NodeStarted, Progress, SuiteVetted
from src.reported import flaky_line
from src.text import clean, count, one_line


class PlainView:
    """One line per event. Foreign text can neither add a line nor colour one."""

    def __init__(self, console: Console, prefix: str = "") -> None:
        """`prefix`: what each line begins with, where several runs are told of."""
        self._console = console
        self._prefix = prefix

    def open(self, opening: Opening) -> None:
        """The run begins."""
        if opening.replayed:
            self._say(replay_line(opening.replayed), width=400)
        for warning in opening.warnings:
            self._say(f"WARNING: {warning}", width=400)
        self._say(f"run {opening.run_id}: {one_line(opening.request, 100)}")
        for role, tier in opening.tiers.items():
            level = f", thinking {tier.thinking_level}" if tier.thinking_level else ""
            self._say(f"{role}: {tier.provider}:{tier.model}{level}")

    def event(self, event: Event) -> None:
        """One line, whatever it is."""
        match event:
            case NodeStarted():
                self._say(f"{called(event.node, event.developer)} started")
            case NodeFinished():
                who, told = called(event.node, event.developer), told_of(event.node, event.update)
                self._say(
                    f"{who} done in {event.seconds:.1f} s: {told}", width=600 if event.update.get("candidates") else 300
                )
            case CorrectionAsked():
                self._say(correction_told(event), width=300)
            case SuiteVetted():
                self._say(f"suite {vetting_line(event)}", width=300)
            case Progress():
                self._say(event.text)

    def close(self, closing: Closing) -> None:
        """The run is over."""
        report = closing.report
        self._say(f"{report.iterations} of {count(report.max_iterations, 'iteration')}, {report.seconds:.1f} s")
        _say_verdict(self._console, closing, self._prefix)

    def pause(self) -> None:
        """Nothing moves here."""

    def _say(self, text: str, width: int = 200) -> None:
        _say(self._console, self._prefix + one_line(text, width))


class QuietView:
    """Only the verdict and where the files are."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def open(self, opening: Opening) -> None:
        """Says nothing, unless no model is called: a verdict on replayed replies must not pass for a new one."""
        if opening.replayed:
            _say(self._console, one_line(replay_line(opening.replayed), 400))

    def event(self, event: Event) -> None:
        """Says nothing."""

    def close(self, closing: Closing) -> None:
        """The run is over."""
        _say_verdict(self._console, closing)

    def pause(self) -> None:
        """Nothing moves here."""


def _say_verdict(console: Console, closing: Closing, prefix: str = "") -> None:
    for point in closing.report.assumptions:
        _say(console, prefix + one_line(assumption_line(point), 500))
    if closing.report.no_second_reading and closing.report.assumptions:
        _say(console, prefix + one_line(f"no second reading: {closing.report.no_second_reading}", 300))
    if closing.report.flaky:
        _say(console, prefix + one_line(flaky_line(closing.report.flaky), 500))
    _say(console, prefix + verdict_line(closing.report))
    if closing.report.files:
        names = listed((*closing.report.files, REPORT_FILE))
        _say(console, f"{prefix}files in {one_line(str(closing.folder), 500)}: {names}")


def _say(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True)


def say_findings(console: Console, *findings: Finding) -> None:
    """What `doctor` found: a line each, and below it what to do."""
    for finding in findings:
        mark, style = ("ok ", "green") if finding.fault is None else ("BAD", "bold red")
        console.print(f"{mark} {finding.name:<10} {one_line(finding.told, 500)}", style=style, soft_wrap=True)
        for line in clean(finding.mend).splitlines():
            console.print(f"      {line}", soft_wrap=True)
