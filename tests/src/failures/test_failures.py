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
from src.failures.tables import with_rows

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
    assert "left of ==: 2\nright: 1" in text
    assert "in Box.size, at line 7 of the module (return self.n):\n    self = <Box>\n    n = 2" in text
    for helper in ("def box(clock)", "def clock()", "LIMIT = 3", "def setup_method"):
        assert helper in text
    for other in ("UNUSED", "def test_other", "def test_many", "def test_good"):
        assert other not in text
    assert "Passing: test_good" in text


def test_further_failures_of_one_kind_get_one_line_each() -> None:
    sides = [Comparison(left=f"{n}", operator="==", right="9") for n in range(2)]
    cases = [outcome(f"test_many[{n}]", comparison=sides[n], source="assert Box(n).size == n", line=31) for n in (0, 1)]
    text = distilled(report(*cases), SUITE, 6000)
    assert text.count("def test_many") == 1
    assert text.endswith("Failing in the same ways:\nFAILED test_many[1]: 1 == 9")


def test_many_further_failures_are_counted_and_their_tests_named() -> None:
    suite = "".join(f"def test_{n}():\n    assert f({n}) == 0\n\n\n" for n in range(6))
    red = [outcome(f"test_{n}", message=f"assert {n} == 0", source=f"assert f({n}) == 0", line=2) for n in range(6)]
    text = distilled(report(*red), suite, 6000)
    assert "def test_1" not in text
    assert "FAILED test_1: assert f(1) == 0: assert 1 == 0\n" in text
    assert text.endswith("… and 3 more: test_3, test_4, test_5")


def test_tests_that_call_something_else_fail_in_another_way() -> None:
    suite = "def test_push():\n    assert push(1)\n\n\ndef test_pop():\n    assert pop() == 1\n"
    text = distilled(report(outcome("test_push"), outcome("test_pop")), suite, 6000)
    assert "def test_push" in text
    assert "def test_pop" in text


def test_the_line_that_failed_is_marked_in_the_source_and_told_apart_where_it_stands_there_twice() -> None:
    suite = "def test_a():\n    x = f()\n    assert x\n    g()\n    assert x\n"
    twice = distilled(report(outcome("test_a", source="assert x", line=5)), suite, 6000)
    assert "at line 5 of the suite: assert x" in twice
    once = distilled(report(outcome("test_a", source="x = f()", line=2)), suite, 6000)
    assert "    x = f()  # failed here\n" in once
    assert "at line" not in once


def test_a_long_way_into_the_module_is_told_by_its_ends() -> None:
    frames = [
        ModuleFrame(function="f", line=n, source="return f(n)", values={"n": str(n), "f": "<function f>"})
        for n in range(1, 6)
    ]
    text = distilled(report(outcome("test_a", exception="RecursionError", frames=frames)), "", 6000)
    assert "at line 1 of the module (return f(n)):\n    n = 1\n… 3 calls between …\nin f, at line 5" in text
    assert "<function" not in text


def test_what_pytest_says_about_long_sides_is_kept_without_the_sides() -> None:
    message = (
        "AssertionError: own words assert [1, 2, ...] == [1, 3, ...] At index 1 diff: 2 != 3 Use -v to get more diff"
    )
    sides = Comparison(left="[1, 2, … 9 more]", operator="==", right="[1, 3, … 9 more]")
    text = distilled(report(outcome("test_a", message=message, exception="AssertionError", comparison=sides)), "", 6000)
    assert text.startswith("FAILED test_a: AssertionError: own words At index 1 diff: 2 != 3\nleft of ==: [1, 2,")


def test_what_was_told_before_is_not_told_again() -> None:
    text = distilled(
        report(outcome("TestBox::test_size")),
        SUITE,
        6000,
        known="LIMIT = 3\n@pytest.fixture\ndef clock():\n    return None\n",
    )
    assert "def clock()" not in text
    assert "def box(clock)" in text
    assert "LIMIT = 3" in text, "a single line may stand anywhere by chance"
    again = distilled(report(outcome("TestBox::test_size")), SUITE, 6000, known=SUITE)
    assert "def " not in again


TABLE = """\
import pytest
from solution import f

ROWS = [
    (1, 1),
    (
        2,
        2,
    ),
    (3, 3),
    (4, 4),
]


@pytest.mark.parametrize(("n", "wanted"), ROWS)
def test_f(n, wanted):
    assert f(n) == wanted
"""


def test_of_a_table_only_the_rows_are_told_that_failed() -> None:
    cases = [TestOutcome(id=f"test_f[{n}-{n}]", outcome="passed") for n in range(1, 5)]
    cases[2] = outcome("test_f[3-3]")
    text = distilled(report(*cases), TABLE, 6000)
    assert "ROWS = [\n    (3, 3),\n    # … 3 more rows\n]" in text


@pytest.mark.parametrize(
    ("suite", "cases"),
    [
        (TABLE, 3),
        (TABLE + "\n\ndef test_g():\n    assert f(len(ROWS))\n", 4),
        (TABLE.replace("(3, 3),\n    (4, 4),", "(3, 3), (4, 4),"), 4),
        (TABLE.replace("def test_f", "@pytest.mark.parametrize('m', [0])\ndef test_f"), 4),
        ("def f(:", 4),
    ],
    ids=["other cases than rows", "used elsewhere", "two rows in a line", "two tables", "no Python"],
)
def test_a_table_of_which_little_is_known_stays_whole(suite: str, cases: int) -> None:
    assert with_rows(suite, {"test_f": cases}, {"test_f": [2]}) == suite


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
