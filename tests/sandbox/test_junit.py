"""The report as JUnit XML."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from sandbox import TestCounts, TestOutcome, TestReport
from sandbox.fake import failing_report, passing_report
from sandbox.junit import junit_xml
from sandbox.report import Resources


def test_each_test_is_a_case_with_its_class() -> None:
    root = ElementTree.fromstring(
        junit_xml(passing_report(["test_a", "TestB::test_c[x::y]", "TestB::test_d"]), "limiter")
    )

    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert cases == [("limiter", "test_a"), ("limiter.TestB", "test_c[x::y]"), ("limiter.TestB", "test_d")]
    assert root.get("tests") == "3"
    assert root.get("failures") == root.get("errors") == "0"


def test_a_failure_carries_its_message_and_traceback() -> None:
    root = ElementTree.fromstring(junit_xml(failing_report(["test_red"], passed=["test_green"])))

    failure = root.find(".//testcase[@name='test_red']/failure")
    assert failure is not None
    assert failure.get("message") == "assert 1 == 2"
    assert "in test_red" in (failure.text or "")
    assert root.get("failures") == "1"


def test_a_run_that_was_stopped_has_a_case_that_says_so() -> None:
    tests = [TestOutcome(id="test_a", outcome="not_run")]
    report = TestReport(status="timeout", reason="stopped after 15 s", tests=tests, counts=TestCounts.of(tests))
    root = ElementTree.fromstring(junit_xml(report))

    error = root.find(".//testcase[@name='timeout']/error")
    assert error is not None
    assert error.get("message") == "stopped after 15 s"


def test_a_skipped_test_is_skipped() -> None:
    tests = [TestOutcome(id="test_a", outcome="xfailed", message="known")]
    report = TestReport(status="not_all_passed", reason="x", tests=tests, counts=TestCounts.of(tests))

    skipped = ElementTree.fromstring(junit_xml(report)).find(".//skipped")
    assert skipped is not None
    assert skipped.get("message") == "xfailed: known"


def test_a_case_carries_what_its_test_printed_and_what_was_raised() -> None:
    tests = [TestOutcome(id="test_a", outcome="failed", exception="KeyError", stdout="printed\x00", stderr="warned")]
    report = TestReport(status="failed", tests=tests, counts=TestCounts.of(tests))
    case = ElementTree.fromstring(junit_xml(report)).find(".//testcase")

    assert case is not None
    assert case.findtext("system-out") == "printed\N{REPLACEMENT CHARACTER}"
    assert case.findtext("system-err") == "warned"
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "KeyError"


def test_the_run_is_described_by_properties() -> None:
    report = passing_report().model_copy(
        update={
            "image": "sha256:abc",
            "isolation": "one process",
            "resources": Resources(cpu_seconds=0.25, peak_memory_mb=31.5),
        }
    )
    properties = ElementTree.fromstring(junit_xml(report)).iter("property")

    assert {entry.get("name"): entry.get("value") for entry in properties} == {
        "status": "passed",
        "reason": "",
        "backend": "fake",
        "image": "sha256:abc",
        "isolation": "one process",
        "cpu_seconds": "0.25",
        "peak_memory_mb": "31.5",
    }


@given(text=st.text(), identity=st.text())
def test_any_text_makes_well_formed_xml(text: str, identity: str) -> None:
    report = failing_report([identity], message=text).model_copy(update={"output": text, "image": text})
    report.tests[0] = report.tests[0].model_copy(update={"stdout": text, "stderr": text, "exception": text})

    ElementTree.fromstring(junit_xml(report, text))
