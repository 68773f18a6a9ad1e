"""Judges what came out of a container. Pure: no input makes it raise, and only one complete, honest story is green."""

import signal
import sys
from typing import Literal

from sandbox.base import Job
from sandbox.failure import one_line, relevant, shorten, summarise
from sandbox.protocol import GuestResult
from sandbox.report import Status, StopReason, TestCounts, TestOutcome, TestReport
from sandbox.story import Story, TestStory, read_story
from sandbox.suite import defined_tests, missing_tests

ID_CHARACTERS = 300
MESSAGE_CHARACTERS = 500
TRACEBACK_CHARACTERS = 6000

Finding = tuple[Status, StopReason | None, str]
"""Status, what stopped the run, and why the status is not `passed`."""


def judge(result: GuestResult, job: Job, nonce: str) -> TestReport:
    """The verdict on `result`, which a guest returned for `job`, whose session was given `nonce`."""
    story = read_story(result.report)
    status, stopped_by, reason = _stopped(result, job) or _ended(result, story, job, nonce)
    reason += _when(status, story, job)
    tests = [_outcome(test, job, running=test is story.running) for test in story.collected]
    return TestReport(
        status=status,
        reason=one_line(reason, 1000),
        stopped_by=stopped_by,
        exit_code=_exit_code(result.wait_status),
        counts=TestCounts.of(tests),
        tests=tests,
        output=_output(result),
        output_bytes=result.output_bytes,
        error_summary="" if status == "passed" else summarise(reason, story.errors, tests),
        seconds=result.seconds,
    )


def judge_without_result(stopped_by: Literal["timeout", "memory"], job: Job) -> TestReport:
    """The verdict on a run that starved the guest's own supervisor, so that it could not answer."""
    seconds = job.limits.seconds if stopped_by == "timeout" else 0
    nothing = GuestResult(
        ended_by=stopped_by,
        wait_status=None,
        report="",
        output_head="",
        output_tail="",
        output_bytes=0,
        seconds=seconds,
    )
    return judge(nothing, job, nonce="")


def _stopped(result: GuestResult, job: Job) -> Finding | None:
    limits = job.limits
    match result.ended_by:
        case "timeout":
            return "timeout", "timeout", f"stopped after {limits.seconds:g} s"
        case "output":
            return "output_flood", "output", f"stopped: more than {limits.output_kb} KiB were printed"
        case "report":
            return "output_flood", "output", "stopped: too many tests or failures to report"
        case "disk":
            return "disk_full", "disk", f"stopped: the {limits.disk_mb} MiB for temporary files are used up"
        case "memory":
            return "out_of_memory", "memory", f"stopped: more than {limits.memory_mb} MiB of memory were needed"
        case "processes":
            many = f"more than {limits.processes} processes and threads were wanted at once"
            return "incomplete", "processes", f"stopped: {many}"
        case "exit":
            return None


def _ended(result: GuestResult, story: Story, job: Job, nonce: str) -> Finding:
    code = _exit_code(result.wait_status)
    if code is None:
        return "tampered", None, "the process is said to have ended, and has no exit code"
    if code < 0:
        return "crashed", "crash", f"the process was ended by {_signal_name(-code)}"
    if story.contradiction:
        return "tampered", None, f"the report contradicts itself: {story.contradiction}"
    if story.finish is None or story.exit is None:
        return "incomplete", None, f"the process ended with exit code {code} before the suite did"
    if story.finish.nonce != nonce:
        return "tampered", None, "the finish that was reported is not that of this run"
    if not story.finish.status == story.exit.status == code:
        return "tampered", None, f"the exit code is {code}, and another one was reported"
    if story.errors or not story.started:
        return _not_begun(story)
    return _complete(code, story, job)


def _not_begun(story: Story) -> Finding:
    if story.started:
        return "incomplete", None, f"pytest itself failed: {story.errors[0].message}"
    if story.errors:
        return "collection_error", None, f"the suite could not be collected: {story.errors[0].message}"
    if story.collected:
        return "incomplete", None, "none of the tests was started"
    return "no_tests", None, "no test was collected"


def _complete(code: int, story: Story, job: Job) -> Finding:
    outcomes = [test.outcome for test in story.collected]
    red = sum(outcome in ("failed", "error") for outcome in outcomes)
    total = len(outcomes)
    if not all(test.complete for test in story.collected):
        ran = sum(test.complete for test in story.collected)
        return "incomplete", None, f"the session ended after {ran} of {total} tests"
    if code != (1 if red else 0):
        return "tampered", None, f"{red} of {total} tests failed, which does not go with exit code {code}"
    if red:
        return "failed", None, f"{red} of {total} tests failed"
    defined = defined_tests(job.tests)
    if defined is None:
        version = ".".join(map(str, sys.version_info[:2]))
        return "incomplete", None, f"Python {version} cannot parse the suite to see whether all of its tests ran"
    missing = missing_tests(defined, [_shown(test.id, job) for test in story.collected])
    if missing:
        return "tampered", None, f"tests of the suite were not run: {', '.join(missing)}"
    other = sum(outcome != "passed" for outcome in outcomes)
    if other:
        return "not_all_passed", None, f"{other} of {total} tests were skipped or are expected to fail"
    return "passed", None, ""


def _when(status: Status, story: Story, job: Job) -> str:
    """Where the run was when it ended early."""
    if status == "passed" or story.contradiction:
        return ""
    if story.running is not None:
        return f" while {_shown(story.running.id, job)} was running"
    return "" if story.tests is not None or story.errors else " while the suite was being imported"


def _exit_code(wait_status: int | None) -> int | None:
    """As in `TestReport.exit_code`. `os.waitstatus_to_exitcode` reads the wait status of the host's own system."""
    if wait_status is None:
        return None
    signal_number = wait_status & 0x7F
    return -signal_number if signal_number else wait_status >> 8


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # not one of this host's
        return f"signal {number}"


def _outcome(test: TestStory, job: Job, running: bool) -> TestOutcome:
    told = test.failures or [report for report in [*test.phases, *test.subtests] if report.outcome == "skipped"]
    message = told[0].message if told else ""
    if running and not told:
        message = "was running when the run was stopped"
    tracebacks = "\n\n".join(relevant(report.traceback) for report in test.failures if report.traceback)
    return TestOutcome(
        id=one_line(_shown(test.id, job), ID_CHARACTERS),
        outcome=test.outcome,
        seconds=round(sum(report.seconds for report in test.phases), 6),
        message=one_line(message, MESSAGE_CHARACTERS),
        traceback=shorten(tracebacks, TRACEBACK_CHARACTERS),
    )


def _shown(identity: str, job: Job) -> str:
    return identity.removeprefix(f"{job.suite_file}::")


def _output(result: GuestResult) -> str:
    kept = len(result.output_head.encode()) + len(result.output_tail.encode())
    gap = result.output_bytes - kept
    between = f"\n[… about {gap} bytes left out …]\n" if gap > 1000 else ""
    return f"{result.output_head}{between}{result.output_tail}"
