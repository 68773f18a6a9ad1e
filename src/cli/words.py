"""What is said about an event or a report, in one line: the same words on a terminal and in a log."""

from collections.abc import Iterable, Mapping
from typing import Any

from sandbox import TestReport
from src.candidates import called, latest_code
from src.errors import ExitCode
from src.events import CorrectionAsked, SuiteVetted
from src.gates.source import parse, test_names
from src.open_points import Assumption, Standing
from src.report import ReplaySource, RunReport, SandboxUse
from src.reported import OpenPoint, WrittenCandidate, written
from src.text import count, one_line

DUTIES: dict[str, str] = {
    "architect": "writes the specification and the tests",
    "developer": "writes the module",
    "test_runner": "runs the tests in the sandbox",
    "debugger": "mends what failed",
    "dispute": "decides whether a disputed test stands",
    "reviewer": "sums up; never decides the verdict",
    "reader": "reads the request a second time",
    "assumptions": "weighs what the request leaves open",
    "person": "is asked what the request leaves open",
}
"""What each member of the team does."""


def told_of(node: str, update: Mapping[str, Any]) -> str:
    """What a member of the team achieved, from the part of the state that it changed."""
    if update.get("status") == "gave_up":
        return "gave up: its corrections are used up"
    if update.get("status") == "aborted":
        return "ended by a person"
    match node:
        case "architect":
            return f"{count(lines_of(update.get('specs', '')), 'line')} of specification, {suite_size(update)}"
        case "reader" | "assumptions" | "person":
            return _before_code(node, update)
        case "developer":
            return f"{count(lines_of(latest_code(update)), 'line')} of code"
        case "test_runner":
            report = measured(update)
            told = test_line(report) if report else "nothing was measured"
            return f"{told}; {candidates_line(written(update))}" if update.get("candidates") else told
        case "debugger":
            diagnoses = update.get("debug_history") or [""]
            return one_line(str(diagnoses[-1])) or "patched the code"
        case "dispute":
            return decision_line(update)
        case _:
            return one_line(str(update.get("review_summary", ""))) or "nothing to add"


def candidates_line(candidates: Iterable[WrittenCandidate]) -> str:
    """How the modules of several developers did."""
    return ", ".join(one.words for one in candidates)


def decision_line(update: Mapping[str, Any]) -> str:
    """What the architect decided about disputed tests, and why."""
    disputes = update.get("disputes")
    if not disputes:
        return "nothing was decided"
    latest = disputes[-1]
    told = {"kept": "kept", "amended": "AMENDED after a failure", "refused": "kept, the amendment was refused"}
    return one_line(f"{', '.join(latest['tests'])}: {told.get(latest['decision'], 'open')}. {latest['answer']}", 600)


def correction_told(event: CorrectionAsked) -> str:
    """Who is asked again, and why; a correction of number 0 goes to the role's next tier."""
    who = called(event.role, event.developer)
    if event.by_person:
        return f"{who}, sent back by a person: {'; '.join(event.reasons)}"
    which = f"correction {event.number}" if event.number else "the next tier is asked"
    return f"{who}, {which}: {'; '.join(event.reasons)}"


def _before_code(node: str, update: Mapping[str, Any]) -> str:
    """What became of what the request leaves open, before code is written."""
    if node == "assumptions":
        return _weighed(update)
    if node == "person":
        return "answered"
    reading = update.get("reading") or {}
    if missing := reading.get("missing"):
        return f"no second reading: {one_line(missing)}"
    answers, labels = count(len(reading.get("answers", {})), "answer"), count(len(reading.get("labels", {})), "label")
    return f"{answers}, {labels} from the request alone"


def _weighed(update: Mapping[str, Any]) -> str:
    if update.get("open_questions"):
        return f"{count(len(update['open_questions']), 'question')} to ask"
    points: list[Assumption] = update.get("assumptions") or []
    return "; ".join(one_line(assumption_line(point), 120) for point in points) or "nothing is assumed"


def measured(update: Mapping[str, Any]) -> TestReport | None:
    """The test report in a part of the state."""
    results = update.get("test_results")
    return TestReport.model_validate(results) if results else None


def test_line(report: TestReport) -> str:
    """Counts of a test run and, when it is not green, the first reason."""
    first = next((test for test in report.tests if test.outcome in ("failed", "error")), None)
    why = "" if report.passed else f"{first.id}: {first.message}" if first else report.reason
    return f"{count_line(report)}; {one_line(why)}" if why else count_line(report)


def count_line(report: TestReport) -> str:
    """Counts of a test run."""
    if report.passed:
        return f"passed: {count(report.counts.passed, 'test')} in {report.seconds:.1f} s"
    return (
        f"{report.status.replace('_', ' ')}: {report.counts.passed} of {count(report.counts.collected, 'test')} passed"
    )


def sandbox_line(use: SandboxUse) -> str:
    """Where the verdict was measured, how far module and suite were apart, and what that took."""
    parts = [use.backend, f"isolation: {use.isolation}"]
    if use.isolation_reason:
        parts[-1] += f" ({one_line(use.isolation_reason)})"
    if use.resources.cpu_seconds is not None:
        parts.append(f"{use.resources.cpu_seconds:.2f} s of processor time")
    if use.resources.peak_memory_mb is not None:
        parts.append(f"{use.resources.peak_memory_mb:.0f} MiB at most")
    return ", ".join(parts)


def vetting_line(event: SuiteVetted) -> str:
    """Whether a suite can fail, measured before any code was written."""
    told = f"refused, {one_line(event.reasons[0])}" if event.reasons else "every test can fail"
    return f"vetted against {count(event.fakes, 'fake')}: {told}"


def suite_size(update: Mapping[str, Any]) -> str:
    """How many tests a suite defines, parametrised ones counted once."""
    tree = parse(str(update.get("tests", "")))
    return count(0 if isinstance(tree, str) else len(test_names(tree)), "test")


def lines_of(text: str) -> int:
    """Lines of `text` that are not blank."""
    return sum(1 for line in text.splitlines() if line.strip())


def verdict_line(report: RunReport) -> str:
    """The verdict and why, in one line; a problem that ended the run is told by itself."""
    reason = "the run ended before its verdict" if _cut_short(report) else report.reason
    forked = f" (forked from {report.forked_from})" if report.forked_from else ""
    return f"{report.verdict}{_under(report)}: {one_line(reason)}{forked}"


def _under(report: RunReport) -> str:
    """How much a green verdict rests on besides the request."""
    standing = sum(point.standing == "stands" for point in report.assumptions)
    return f" under {count(standing, 'assumption')}" if standing and report.verdict == "VERIFIED" else ""


STANDINGS: dict[Standing, str] = {
    "stands": "assumed",
    "settled": "settled by you",
    "contested": "open question",
    "dropped": "not tested",
}
"""What became of an assumption, in a word or two."""


def assumption_line(point: OpenPoint | Assumption) -> str:
    """An assumption, what became of it and its tests, in one line."""
    told = point if isinstance(point, Mapping) else point.model_dump()
    read = f"; read: {told['reading']}" if told["reading"] and told["standing"] != "stands" else ""
    return f"{STANDINGS[told['standing']]}: {told['words']}{read} ({', '.join(told['tests'])})"


def _cut_short(report: RunReport) -> bool:
    paused = report.exit_code == ExitCode.PAUSED  # its reason says so, and what it waits for
    return report.problem is not None and report.verdict != "VERIFIED" and not paused


def replay_line(source: ReplaySource) -> str:
    """Says plainly that no model is called."""
    title = one_line(source.title)
    named = f" ({title})" if title else ""
    if source.kind == "scripted":
        return (
            f"SCRIPTED EXAMPLE{named}: the replies of the models were written by hand and no model is called. "
            "Everything else is real: the gates, the container, the tests, the verdict."
        )
    return (
        f"RECORDED{named}: the replies come from a recording of real models and no model is called. "
        "Everything else is real: the gates, the container, the tests, the verdict."
    )


def tokens(number: int | None) -> str:
    """A count of tokens; an unknown one is a dash."""
    return "-" if number is None else f"{number:,}"


def dollars(cost: float | None) -> str:
    """A cost; an unknown one is a dash, never zero."""
    return "-" if cost is None else f"${cost:.4f}"


def listed(names: Iterable[str]) -> str:
    """Names, separated by commas."""
    return ", ".join(one_line(name) for name in names)
