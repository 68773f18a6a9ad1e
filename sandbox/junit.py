"""A report as JUnit XML, which build servers read."""

import re
from collections.abc import Iterator

from junitparser import Error, Failure, JUnitXml, Skipped, SystemOut, TestCase, TestSuite

from sandbox.report import TestOutcome, TestReport

NOT_XML = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids, and the control characters that it only advises against."""


def junit_xml(report: TestReport, name: str = "solution") -> str:
    """`report` as the text of a JUnit file whose suite is called `name`.

    A run that was stopped, or that is not green for a reason other than its tests, has one more case that says why.
    """
    suite = TestSuite(_clean(name))
    for key, value in _properties(report):
        suite.add_property(key, _clean(value))
    for test in report.tests:
        suite.add_testcase(_case(test, name))
    if not report.passed and not (report.counts.failed or report.counts.errors):
        verdict = TestCase(report.status, classname=_clean(name))
        verdict.result = [_result(Error, report.reason, report.error_summary)]
        suite.add_testcase(verdict)
    suite.append(_system_out(report.output))  # type: ignore[no-untyped-call]
    document = JUnitXml()
    document.add_testsuite(suite)
    document.update_statistics()  # type: ignore[no-untyped-call]
    text: bytes = document.tostring()  # type: ignore[no-untyped-call]
    return text.decode()


def _properties(report: TestReport) -> Iterator[tuple[str, str]]:
    yield "status", report.status
    yield "reason", report.reason
    yield "backend", report.backend
    yield "image", report.image
    yield "isolation", report.isolation
    used = report.resources
    if used.cpu_seconds is not None:
        yield "cpu_seconds", f"{used.cpu_seconds:g}"
    if used.peak_memory_mb is not None:
        yield "peak_memory_mb", f"{used.peak_memory_mb:g}"


def _case(test: TestOutcome, suite_name: str) -> TestCase:
    function, bracket, parameters = test.id.partition("[")
    group, _, name = function.rpartition("::")
    case = TestCase(
        _clean(name + bracket + parameters),
        classname=_clean(f"{suite_name}.{group}" if group else suite_name),
        time=test.seconds,
    )
    if test.outcome == "failed":
        case.result = [_result(Failure, test.message, test.traceback, test.exception)]
    elif test.outcome in ("error", "not_run"):
        case.result = [_result(Error, test.message or "not run", test.traceback, test.exception)]
    elif test.outcome != "passed":
        case.result = [_result(Skipped, f"{test.outcome}: {test.message}", "")]
    if test.stdout:
        case.system_out = _clean(test.stdout)
    if test.stderr:
        case.system_err = _clean(test.stderr)
    return case


def _system_out(text: str) -> SystemOut:
    return SystemOut(_clean(text))


def _result(
    kind: type[Error] | type[Failure] | type[Skipped], message: str, text: str, type_name: str = ""
) -> Error | Failure | Skipped:
    result = kind(_clean(message), _clean(type_name) or None)
    if text:
        result.text = _clean(text)
    return result


def _clean(text: str) -> str:
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
