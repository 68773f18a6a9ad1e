"""Two runs of one job: green needs both, or a named reason why the second could not be had."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import Status, StopReason, TestReport
from sandbox.agreement import agreed
from sandbox.fake import failing_report, passing_report

GREEN = passing_report(["test_a", "test_b"]).model_copy(update={"isolation": "one process"})
RED = failing_report(["test_a"], ["test_b"])


def test_two_green_runs_confirm_each_other() -> None:
    report = agreed(GREEN, passing_report(["test_a", "test_b"]))

    assert report.passed
    assert (report.isolation, report.isolation_reason) == ("separate process", "")


def test_an_obstacle_leaves_the_first_verdict_and_is_named() -> None:
    report = agreed(GREEN, RED, "the suite patches solution.clock")

    assert report.passed
    assert (report.isolation, report.isolation_reason) == ("one process", "the suite patches solution.clock")


def test_without_a_second_run_the_first_stands_unconfirmed() -> None:
    report = agreed(GREEN, None)

    assert (report.status, report.isolation, report.isolation_reason) == ("passed", "one process", "")


def test_a_red_verdict_is_not_mended_by_the_second_run() -> None:
    assert agreed(RED, GREEN) is RED
    assert agreed(RED, GREEN, "an obstacle") is RED


def test_a_second_run_that_disagrees_makes_it_tampered() -> None:
    report = agreed(GREEN, RED)

    assert (report.status, report.isolation) == ("tampered", "separate process")
    assert "process of its own: 1 of 2 tests failed" in report.reason
    assert "FAILED test_a" in report.error_summary


def test_a_second_run_of_other_tests_makes_it_tampered() -> None:
    assert agreed(GREEN, passing_report(["test_a"])).status == "tampered"


@pytest.mark.parametrize(
    ("status", "stopped_by"), [("timeout", "timeout"), ("out_of_memory", "memory"), ("incomplete", "processes")]
)
def test_a_second_run_that_crosses_a_limit_says_which(status: Status, stopped_by: StopReason) -> None:
    second = TestReport(status=status, stopped_by=stopped_by, reason="stopped after 15 s")
    report = agreed(GREEN, second)

    assert (report.status, report.stopped_by) == (status, stopped_by)
    assert "stopped after 15 s" in report.reason


REPORTS = st.builds(
    TestReport,
    status=st.sampled_from(["passed", "failed", "timeout", "tampered", "no_tests", "crashed"]),
    stopped_by=st.sampled_from([None, "timeout", "crash"]),
    reason=st.text(),
    tests=st.just([]),
)


@given(first=REPORTS, second=st.none() | REPORTS, obstacle=st.text())
def test_green_needs_a_green_first_run_and_either_agreement_or_a_reason(
    first: TestReport, second: TestReport | None, obstacle: str
) -> None:
    report = agreed(first, second, obstacle)

    assert report.passed == (first.passed and (second is None or bool(obstacle) or second.passed))
    if report.passed and report.isolation == "separate process":
        assert second is not None
        assert second.passed
