"""A green verdict is confirmed by a second run, with the module in a process of its own. Pure, like the judge."""

from sandbox.failure import one_line
from sandbox.report import TestReport

LIMITS = ("timeout", "memory", "processes", "output", "disk")


def agreed(first: TestReport, second: TestReport | None, obstacle: str = "") -> TestReport:
    """The verdict on two runs of one job.

    `first`: module and suite in one process. `second`: the module in a process of its own; `None` where that was not
    tried. `obstacle`: what the second run met that it cannot carry, by name; the first verdict then stands and says so.

    A first verdict that is not green needs no confirmation. One that the second run does not share, without an
    obstacle, is `tampered`: something within the shared process made it green. Where the second run crossed a limit,
    its status says that instead, since it needs more of everything. Neither is green.
    """
    if not first.passed:
        return first
    if obstacle or second is None:
        return first.model_copy(update={"isolation": "one process", "isolation_reason": one_line(obstacle)})
    if second.passed and _ids(first) == _ids(second):
        return first.model_copy(update={"isolation": "separate process", "isolation_reason": ""})
    crossed = second.stopped_by in LIMITS
    differs = second.reason or "other tests were run"
    told = f"passed in one process, but not with the module in a process of its own: {differs}"
    return second.model_copy(
        update={
            "status": second.status if crossed else "tampered",
            "reason": one_line(told, 1000),
            "isolation": "separate process",
            "error_summary": f"{told}\n\n{second.error_summary}",
        }
    )


def _ids(report: TestReport) -> list[str]:
    return [test.id for test in report.tests]
