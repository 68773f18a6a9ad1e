"""Does the same candidate end the same way when it is run again at once, in another order?"""

from sandbox import Job, Sandbox, TestReport

OTHER_WAY_ROUND = 1
"""Seed of the order in which every test runs before those that it ran after."""
LONGEST_RERUN = 5.0
"""Seconds of a red run after which a second one costs more than it tells."""


def flaky_tests(report: TestReport, job: Job, sandbox: Sandbox) -> list[str]:
    """Tests of a red `report` on `job` that end otherwise in a second run; raises `SandboxError`.

    Only a suite that ran to its end is run again: a limit that was crossed costs its whole time once more.
    """
    if report.status != "failed" or report.seconds > LONGEST_RERUN:
        return []
    (again,) = sandbox.run_many([job.model_copy(update={"order_seed": OTHER_WAY_ROUND})])
    return flipped(report, again)


def flipped(first: TestReport, second: TestReport) -> list[str]:
    """Tests that passed in one of two complete runs of the same tests and failed in the other, in order."""
    passed = {test.id: test.outcome == "passed" for test in second.tests}
    if second.status not in ("passed", "failed") or passed.keys() != {test.id for test in first.tests}:
        return []
    return [test.id for test in first.tests if passed[test.id] != (test.outcome == "passed")]
