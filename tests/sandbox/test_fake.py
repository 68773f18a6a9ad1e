"""The sandbox for tests of others."""

import pytest

from sandbox import ContainerFailed, Job
from sandbox.fake import FakeSandbox, failing_report, passing_report

JOB = Job(code="x = 1", tests="def test_a(): ...")


def test_answers_come_in_order_and_jobs_are_remembered() -> None:
    with FakeSandbox([failing_report(), passing_report(["test_a"])]) as sandbox:
        assert sandbox.run(JOB).status == "failed"
        assert sandbox.run(JOB).passed
        with pytest.raises(AssertionError, match="run 3 was not expected"):
            sandbox.run(JOB)

    assert sandbox.jobs == [JOB] * 3
    assert sandbox.closed


def test_an_exception_among_the_answers_is_raised() -> None:
    with pytest.raises(ContainerFailed):
        FakeSandbox([ContainerFailed("gone")]).run(JOB)


def test_a_function_may_answer() -> None:
    sandbox = FakeSandbox(lambda job: passing_report([job.module_name]))

    assert sandbox.run(JOB).tests[0].id == "solution"


def test_a_series_may_have_answers_of_its_own() -> None:
    sandbox = FakeSandbox([passing_report()], series=lambda job: failing_report([job.module_name]))

    assert [report.tests[0].id for report in sandbox.run_many([JOB, JOB])] == ["solution", "solution"]
    assert (sandbox.jobs, sandbox.series_jobs) == ([], [JOB, JOB])
    assert sandbox.run(JOB).passed


def test_failing_reports_count_and_explain() -> None:
    report = failing_report(["test_a", "test_b"], passed=["test_c"], message="assert 0")

    assert (report.counts.collected, report.counts.failed, report.counts.passed) == (3, 2, 1)
    assert report.reason == "2 of 3 tests failed"
    assert "FAILED test_a" in report.error_summary
    assert "assert 0" in report.error_summary
