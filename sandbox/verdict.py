"""Judges what came out of a container. Pure: no input makes it raise, and only one complete, honest story is green."""

import signal
import sys
from typing import Literal

from sandbox.base import Job
from sandbox.failure import one_line, summarise
from sandbox.hearing import Hearing
from sandbox.outcome import outcome_of, shown
from sandbox.protocol import GuestResult, Secret
from sandbox.report import Leftovers, Resources, Status, StopReason, TestCounts, TestReport
from sandbox.story import read_story
from sandbox.suite import defined_tests, missing_tests

CANARY_EXIT_CODE = 1
"""What pytest ends with when every test of the suite passes: one of our own must fail."""
NO_TESTS_EXIT_CODE = 5
LEFT_NAMES = 20
MIB = 1024 * 1024

Finding = tuple[Status, StopReason | None, str]
"""Status, what stopped the run, and why the status is not `passed`."""


def judge(result: GuestResult, job: Job, secret: Secret, *, apart: bool = False) -> TestReport:
    """The verdict on `result`, which a guest returned for `job`, whose session was given `secret`.

    `apart`: the module had a process of its own.
    """
    story = read_story(result.report)
    hearing = Hearing(story, secret.canary)
    status, stopped_by, reason = _stopped(result, job) or _ended(result, hearing, job, secret.nonce, apart)
    reason += _when(status, hearing, job)
    tests = [outcome_of(test, job, running=test is hearing.running) for test in hearing.tests]
    return TestReport(
        status=status,
        reason=one_line(reason, 1000),
        stopped_by=stopped_by,
        exit_code=_own_exit_code(status, result),
        counts=TestCounts.of(tests),
        tests=tests,
        output=_output(result),
        output_bytes=result.output_bytes,
        error_summary="" if status == "passed" else summarise(reason, story.errors, tests),
        seconds=result.seconds,
        resources=_resources(result),
        leftovers=_leftovers(result),
        isolation="separate process" if apart else "one process",
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
    return judge(nothing, job, Secret())


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


def _ended(result: GuestResult, hearing: Hearing, job: Job, nonce: str, apart: bool) -> Finding:
    story = hearing.story
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
    return (
        _not_begun(hearing)
        or _not_completed(hearing)
        or _not_apart(hearing, apart)
        or _not_honest(code, hearing, job)
        or _complete(hearing)
    )


def obstacle_of(result: GuestResult) -> str:
    """What a run with the module in a process of its own could not carry, by name; nothing when all was carried."""
    return "; ".join(read_story(result.report).cannot_carry)


def _not_apart(hearing: Hearing, apart: bool) -> Finding | None:
    told = hearing.story.apart
    if (told is not None) != apart or (hearing.story.cannot_carry and not apart):
        return "tampered", None, "the report does not tell of the processes that there were"
    if told is not None and told.broken:
        return "tampered", None, f"the module's process did not keep to its part: {told.broken}"
    return None


def _not_begun(hearing: Hearing) -> Finding | None:
    story = hearing.story
    if story.errors and story.started:
        return "incomplete", None, f"pytest itself failed: {story.errors[0].message}"
    if story.errors:
        return "collection_error", None, f"the suite could not be collected: {story.errors[0].message}"
    if story.tests is None:
        return "incomplete", None, "the session ended before it had collected the suite"
    if hearing.tests and not story.started:
        return "incomplete", None, "none of the tests was started"
    return None


def _not_completed(hearing: Hearing) -> Finding | None:
    ran = sum(test.complete for test in hearing.tests)
    total = len(hearing.tests)
    if ran < total:
        return "incomplete", None, f"the session ended after {ran} of {total} tests"
    if not all(test.complete for test in hearing.story.collected):
        return "incomplete", None, "the session ended before our own tests were over"
    return None


def _not_honest(code: int, hearing: Hearing, job: Job) -> Finding | None:
    """What a complete session tells against itself."""
    if hearing.canary_fault:
        return "tampered", None, f"pytest was tampered with: {hearing.canary_fault}"
    if code != CANARY_EXIT_CODE:
        return "tampered", None, f"tests failed, which does not go with exit code {code}"
    outcomes = [test.outcome for test in hearing.tests]
    if not outcomes or "failed" in outcomes or "error" in outcomes:
        return None
    defined = defined_tests(job.tests)
    if defined is None:
        version = ".".join(map(str, sys.version_info[:2]))
        return "incomplete", None, f"Python {version} cannot parse the suite to see whether all of its tests ran"
    missing = missing_tests(defined, [shown(test.id, job) for test in hearing.tests])
    if missing:
        return "tampered", None, f"tests of the suite were not run: {', '.join(missing)}"
    return None


def _complete(hearing: Hearing) -> Finding:
    outcomes = [test.outcome for test in hearing.tests]
    total = len(outcomes)
    red = sum(outcome in ("failed", "error") for outcome in outcomes)
    other = sum(outcome != "passed" for outcome in outcomes) - red
    if not total:
        return "no_tests", None, "no test was collected"
    if red:
        return "failed", None, f"{red} of {total} tests failed"
    if other:
        return "not_all_passed", None, f"{other} of {total} tests were skipped or are expected to fail"
    return "passed", None, ""


def _when(status: Status, hearing: Hearing, job: Job) -> str:
    """Where the run was when it ended early."""
    if status == "passed" or hearing.story.contradiction:
        return ""
    if hearing.running is not None:
        return f" while {shown(hearing.running.id, job)} was running"
    return hearing.place


def _own_exit_code(status: Status, result: GuestResult) -> int | None:
    """The exit code as it would be without our own tests, one of which always fails."""
    code = _exit_code(result.wait_status)
    if code == CANARY_EXIT_CODE and status in ("passed", "not_all_passed"):
        return 0
    return NO_TESTS_EXIT_CODE if code == CANARY_EXIT_CODE and status == "no_tests" else code


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


def _output(result: GuestResult) -> str:
    kept = len(result.output_head.encode()) + len(result.output_tail.encode())
    gap = result.output_bytes - kept
    between = f"\n[… about {gap} bytes left out …]\n" if gap > 1000 else ""
    return f"{result.output_head}{between}{result.output_tail}"


def _resources(result: GuestResult) -> Resources:
    peak = result.peak_memory_bytes
    return Resources(cpu_seconds=result.cpu_seconds, peak_memory_mb=None if peak is None else round(peak / MIB, 1))


def _leftovers(result: GuestResult) -> Leftovers:
    return Leftovers(count=result.left_running, names=[one_line(name, 40) for name in result.left_names[:LEFT_NAMES]])
