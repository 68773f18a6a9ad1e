"""What failures say: when two are the same, which tests end by chance, what the debugger is told."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox import Comparison, ModuleFrame, TestOutcome, TestReport
from sandbox.fake import failing_report, passing_report
from src.failures.distill import distilled
from src.failures.flaky import flipped
from src.failures.signature import signature

SUITE = """\
import pytest
from solution import Box

LIMIT = 3
UNUSED = 4


@pytest.fixture
def box(clock):
    return Box(LIMIT)


@pytest.fixture
def clock():
    return None


class TestBox:
    def setup_method(self):
        self.size = 1

    def test_size(self, box):
        assert box.size == self.size

    def test_other(self):
        assert True


@pytest.mark.parametrize("n", [1, 2])
def test_many(n):
    assert Box(n).size == n


def test_good():
    assert True
"""


def outcome(identity: str, **facts: Any) -> TestOutcome:
    return TestOutcome(id=identity, outcome="failed", **{"message": "assert 1 == 2", **facts})


def report(*tests: TestOutcome) -> TestReport:
    return failing_report().model_copy(update={"tests": list(tests), "reason": "it failed"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<Box object at 0x7f00aa>", "<Box object at 0x7f99bbcc>"),
        ("took 0.0132 s", "took 1.5 s"),
        ("/tmp/pytest-of-x/pytest-0/a.txt is missing", "/tmp/pytest-of-x/pytest-1/a.txt is missing"),
        ("id 140234567890123", "id 940234567890999"),
        ("now 2026-01-01 10:00:00.123456", "now 2027-02-02T11:00:00.654321"),
        ("assert False\nFalsifying example: test(n=3)", "assert False\nFalsifying example: test(n=4)"),
        ("Thread-12 failed", "Thread-3 failed"),
    ],
)
def test_what_changes_by_itself_makes_no_other_failure(one: str, other: str) -> None:
    assert signature(failing_report(message=one)) == signature(failing_report(message=other))


@pytest.mark.parametrize(
    "other",
    [
        failing_report(message="assert 1 == 3"),
        failing_report(["test_it", "test_more"]),
        failing_report().model_copy(update={"tests": [outcome("test_it", exception="KeyError")]}),
        failing_report([]).model_copy(update={"status": "timeout"}),
    ],
)
def test_another_message_test_type_or_end_is_another_failure(other: TestReport) -> None:
    assert signature(failing_report()) != signature(other)


def test_the_order_of_tests_and_those_that_end_by_chance_do_not_matter() -> None:
    assert signature(failing_report("ab")) == signature(failing_report("ba"))
    assert signature(failing_report("ab"), flaky=["b"]) == signature(failing_report("a"))
    assert signature(failing_report("b"), flaky=["b"]) == signature(failing_report("b")), "when nothing else failed"


def test_a_test_is_flaky_when_one_of_two_complete_runs_passes_it() -> None:
    assert flipped(failing_report("ab", "c"), failing_report("bc", "a")) == ["c", "a"]
    assert flipped(failing_report("a"), passing_report("a")) == ["a"]
    assert flipped(failing_report("a"), failing_report("a")) == []
    assert flipped(failing_report("a"), passing_report("a").model_copy(update={"status": "crashed"})) == []


def test_a_failing_test_is_told_with_its_source_what_it_uses_both_sides_and_values_in_the_module() -> None:
    frame = ModuleFrame(function="Box.size", line=7, source="return self.n", values={"self": "<Box>", "n": "2"})
    failed = outcome(
        "TestBox::test_size", comparison=Comparison(left="2", operator="==", right="1"), frames=[frame], line=23
    )
    text = distilled(report(failed, TestOutcome(id="test_good", outcome="passed")), SUITE, 6000)
    assert "def test_size(self, box):\n    assert box.size == self.size" in text
    assert "left of ==: 2\nright of it: 1" in text
    assert "in Box.size, at line 7 of the module (return self.n):\n    self = <Box>\n    n = 2" in text
    for helper in ("def box(clock)", "def clock()", "LIMIT = 3", "def setup_method"):
        assert helper in text
    for other in ("UNUSED", "def test_other", "def test_many", "def test_good"):
        assert other not in text
    assert "Passing: test_good" in text


def test_further_failures_of_one_kind_get_one_line_each() -> None:
    text = distilled(report(outcome("test_many[1]"), outcome("test_many[2]"), outcome("test_good")), SUITE, 6000)
    assert text.count("def test_many") == 1
    assert "Failing in the same ways:\nFAILED test_many[2]: assert 1 == 2\nFAILED test_good" in text
    assert "def test_good" not in text


def test_without_a_failing_test_the_summary_is_told() -> None:
    broken = failing_report([]).model_copy(update={"status": "collection_error", "error_summary": "No module there"})
    assert distilled(broken, SUITE, 6000) == "No module there"


texts = st.text(max_size=300)
outcomes = st.builds(
    TestOutcome,
    id=st.one_of(texts, st.sampled_from(["test_many[1]", "TestBox::test_size"])),
    outcome=st.sampled_from(["passed", "failed", "error", "skipped", "not_run"]),
    message=texts,
    traceback=texts,
    exception=texts,
)


@settings(max_examples=80, deadline=None)
@given(
    tests=st.lists(outcomes, max_size=30, unique_by=lambda test: test.id),
    suite=texts | st.just(SUITE),
    room=st.integers(1, 4000),
)
def test_whatever_is_reported_the_text_keeps_to_its_room(tests: list[TestOutcome], suite: str, room: int) -> None:
    given_report = report(*tests)
    assert len(distilled(given_report, suite, room)) <= room
    assert signature(given_report)
    assert flipped(given_report, given_report) == []
