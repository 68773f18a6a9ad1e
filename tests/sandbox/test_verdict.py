"""The judge: only one complete and honest story is green, and every other one is called by its name."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import TestReport

SUITE_OF_TWO = "def test_a(): ...\ndef test_b(): ...\n"


def around(told: Any, *events: dict[str, object]) -> list[dict[str, object]]:
    """A session of a suite of two around these events."""
    whole: list[dict[str, object]] = told.session(*events, tests=("test_a", "test_b"))
    return whole


def two_green(told: Any) -> list[dict[str, object]]:
    return around(told, *told.test("test_a"), *told.test("test_b"))


def test_the_complete_story_of_a_green_suite_passes(told: Any) -> None:
    report = told.judge(two_green(told))

    assert report.status == "passed"
    assert report.passed
    assert report.reason == report.error_summary == ""
    assert report.exit_code == 0
    assert [(test.id, test.outcome, test.seconds) for test in report.tests] == [
        ("test_a", "passed", 0.75),
        ("test_b", "passed", 0.75),
    ]
    assert (report.counts.collected, report.counts.passed) == (2, 2)


def test_a_failing_test_carries_its_message_and_traceback(told: Any) -> None:
    failing = told.test(
        "test_b", "failed", message="assert 1 == 2\nwhy", traceback="test_solution.py:2: in test_b\nE   x"
    )
    report = told.judge(
        told.session(*told.test("test_a"), *failing, tests=("test_a", "test_b")),
    )

    assert report.status == "failed"
    assert report.reason == "1 of 2 tests failed"
    assert report.tests[1].message == "assert 1 == 2 why"
    assert "test_solution.py:2: in test_b" in report.tests[1].traceback
    assert "FAILED test_b" in report.error_summary
    assert "test_a" not in report.error_summary


@pytest.mark.parametrize("phase", ["setup", "teardown"])
def test_a_failure_of_set_up_or_teardown_is_an_error(told: Any, phase: str) -> None:
    events = [told.start("test_a")]
    if phase == "setup":
        events += [told.phase("test_a", "setup", "failed"), told.phase("test_a", "teardown")]
    else:
        events += [
            told.phase("test_a", "setup"),
            told.phase("test_a", "call"),
            told.phase("test_a", "teardown", "failed"),
        ]
    report = told.judge(told.session(*events), tests="def test_a(): ...")

    assert report.status == "failed"
    assert report.tests[0].outcome == "error"
    assert report.counts.errors == 1


@pytest.mark.parametrize(
    ("call", "expected_to_fail", "outcome"),
    [("skipped", False, "skipped"), ("skipped", True, "xfailed"), ("passed", True, "xpassed")],
)
def test_a_test_that_did_not_plainly_pass_is_not_green(
    told: Any, call: str, expected_to_fail: bool, outcome: str
) -> None:
    events = told.session(*told.test("test_a", call, expected_to_fail=expected_to_fail))
    report = told.judge(events, tests="def test_a(): ...")

    assert report.status == "not_all_passed"
    assert report.tests[0].outcome == outcome


def test_a_failed_subtest_fails_its_test(told: Any) -> None:
    subtest = {**told.phase("test_a", "call", "failed", message="for i=2"), "event": "subtest"}
    start, setup, call, teardown = told.test("test_a")
    report = told.judge(
        told.session(start, setup, subtest, call, teardown),
        tests="def test_a(): ...",
    )

    assert report.status == "failed"
    assert report.tests[0].message == "for i=2"


def test_a_suite_that_cannot_be_collected_is_told_with_its_error(told: Any) -> None:
    error = {
        "event": "collect_error",
        "id": "test_solution.py",
        "message": "ImportError: no f",
        "traceback": "E   no f",
    }
    report = told.judge([error, told.collected(), *told.end(2)], code=2)

    assert report.status == "collection_error"
    assert "ImportError: no f" in report.reason
    assert "E   no f" in report.error_summary


def test_an_exception_that_goes_through_pytest_at_import_is_a_collection_error(told: Any) -> None:
    error = {"event": "internal_error", "message": "SystemExit: 0", "traceback": "SystemExit: 0"}

    assert told.judge([error, *told.end(3)], code=3).status == "collection_error"


def test_an_exception_that_goes_through_pytest_later_leaves_the_run_incomplete(told: Any) -> None:
    error = {"event": "internal_error", "message": "boom", "traceback": ""}
    events = [*told.begin("test_a", "test_b"), *told.test("test_a"), error, *told.end(3)]

    assert told.judge(events, code=3).status == "incomplete"


def test_a_suite_without_tests_has_none(told: Any) -> None:
    report = told.judge(told.session(tests=()), tests="x = 1")

    assert (report.status, report.exit_code, report.tests) == ("no_tests", 5, [])


def test_an_exit_in_the_middle_is_incomplete_whatever_its_code(told: Any) -> None:
    events = [*told.begin("test_a", "test_b"), told.start("test_a"), told.phase("test_a", "setup")]
    report = told.judge(events, code=0)

    assert report.status == "incomplete"
    assert report.reason == "the process ended with exit code 0 before the suite did while test_a was running"
    assert [test.outcome for test in report.tests] == ["not_run", "not_run"]


def test_a_session_that_was_ended_early_is_incomplete(told: Any) -> None:
    report = told.judge([*told.begin("test_a", "test_b"), *told.test("test_a"), *told.end()])

    assert report.status == "incomplete"
    assert "1 of 2" in report.reason


def test_a_session_that_started_no_test_is_incomplete(told: Any) -> None:
    assert told.judge([told.collected("test_a", "test_b"), *told.end()]).status == "incomplete"


def test_a_worker_that_a_signal_ended_has_crashed(told: Any) -> None:
    report = told.judge([*told.begin("test_a", "test_b"), told.start("test_a")], wait_status=11)

    assert (report.status, report.stopped_by, report.exit_code) == ("crashed", "crash", -11)
    assert "SIGSEGV" in report.reason


@pytest.mark.parametrize(
    ("ended_by", "status", "stopped_by"),
    [
        ("timeout", "timeout", "timeout"),
        ("output", "output_flood", "output"),
        ("report", "output_flood", "output"),
        ("disk", "disk_full", "disk"),
        ("memory", "out_of_memory", "memory"),
        ("processes", "incomplete", "processes"),
    ],
)
def test_a_run_that_crossed_a_limit_is_never_green(told: Any, ended_by: str, status: str, stopped_by: str) -> None:
    report = told.judge(two_green(told), ended_by=ended_by)

    assert (report.status, report.stopped_by) == (status, stopped_by)


def test_a_timeout_names_the_test_that_was_running(told: Any) -> None:
    events = [*told.begin("test_a", "test_b"), *told.test("test_a"), told.start("test_b")]
    report = told.judge(events, code=None, ended_by="timeout")

    assert report.reason == "stopped after 15 s while test_b was running"
    assert report.exit_code is None
    assert "test_b" in report.error_summary


def test_a_run_that_ends_before_its_tests_are_known_was_importing_the_suite(told: Any) -> None:
    report = told.judge([], code=None, ended_by="timeout")

    assert report.reason == "stopped after 15 s while the suite was being imported"


def test_a_last_line_that_the_end_cut_off_is_no_lie(told: Any) -> None:
    text = "".join(json.dumps(event) + "\n" for event in two_green(told)[:3])

    assert told.judge([], report=text + '{"event": "pha', code=None, ended_by="timeout").status == "timeout"


LIES: dict[str, Callable[[Any], list[dict[str, object]]]] = {
    "the nonce of another run": lambda told: [*two_green(told)[:-2], *told.end(nonce="guessed")],
    "another exit code in the finish": lambda told: [*two_green(told)[:-2], *told.end(0)],
    "collected twice": lambda told: [told.collected("test_a", "test_b"), *two_green(told)],
    "a test started twice": lambda told: around(told, *told.test("test_a"), *told.test("test_a"), *told.test("test_b")),
    "a test out of turn": lambda told: around(told, *told.test("test_b"), *told.test("test_a")),
    "a test that was never collected": lambda told: told.session(*told.test("test_a"), *told.test("test_b")),
    "a call without a set-up": lambda told: [event for event in two_green(told) if event.get("phase") != "setup"],
    "a set-up reported twice": lambda told: around(
        told, *told.test("test_a")[:2], *told.test("test_a")[1:], *told.test("test_b")
    ),
    "tests before the collection": lambda told: two_green(told)[1:],
    "two tests of one name": lambda told: [told.collected("test_a", "test_a"), *told.end()],
    "something after the finish": lambda told: [*two_green(told)[:-1], told.start("test_a"), two_green(told)[-1]],
    "something after the exit": lambda told: [*two_green(told), told.start("test_a")],
    "an unknown event": lambda told: [{"event": "verdict", "passed": True}, *two_green(told)],
    "a field too many": lambda told: [{**event, "sure": True} for event in two_green(told)],
    "fewer tests than the source defines": lambda told: told.session(*told.test("test_a")),
    "a session without our own tests": lambda told: [
        {"event": "collected", "ids": ["test_solution.py::test_a", "test_solution.py::test_b"]},
        *told.test("test_a"),
        *told.test("test_b"),
        *told.end(),
    ],
}


@pytest.mark.parametrize("lie", LIES)
def test_a_report_that_contradicts_itself_or_the_source_is_tampered(told: Any, lie: str) -> None:
    report = told.judge(LIES[lie](told))

    assert report.status == "tampered"
    assert report.reason


def test_an_exit_code_that_the_kernel_does_not_confirm_is_tampered(told: Any) -> None:
    assert told.judge(two_green(told), code=0).status == "tampered"


def test_a_session_whose_exit_code_hides_failures_is_tampered(told: Any) -> None:
    assert told.judge([*two_green(told)[:-2], *told.end(0)], code=0).status == "tampered"


def test_green_is_not_given_when_the_suite_cannot_be_read_for_its_tests(told: Any) -> None:
    report = told.judge(two_green(told), tests="def test_a(:")

    assert report.status == "incomplete"
    assert "cannot parse" in report.reason


FACTS: dict[str, Any] = {
    "exception": "solution.Broken",
    "line": 2,
    "comparison": {"left": "1", "operator": "==", "right": "2"},
    "frames": [{"function": "f", "line": 1, "values": {"x": "3"}}],
}


def test_what_is_known_of_a_failure_is_told_with_the_lines_of_our_own_sources(told: Any) -> None:
    events = told.session(*told.test("test_a", "failed", message="x", facts=FACTS))
    report = told.judge(events, tests="def test_a():\r\n    assert f() == 2\n", module="def f(): return 1\n")
    test = report.tests[0]

    assert (test.exception, test.line, test.source) == ("solution.Broken", 2, "assert f() == 2")
    assert test.comparison is not None
    assert (test.comparison.left, test.comparison.operator, test.comparison.right) == ("1", "==", "2")
    assert [frame.model_dump() for frame in test.frames] == [
        {"function": "f", "line": 1, "source": "def f(): return 1", "values": {"x": "3"}}
    ]


@pytest.mark.parametrize("line", [0, 3, 99_999_999])
def test_a_line_that_no_source_has_is_told_without_its_text(told: Any, line: int) -> None:
    facts = {**FACTS, "line": line, "frames": [{"function": "f", "line": line, "values": {}}]}
    test = told.judge(told.session(*told.test("test_a", "failed", facts=facts)), tests="def test_a(): ...").tests[0]

    assert (test.line, test.source, test.frames[0].source) == (line, "", "")


@pytest.mark.parametrize(
    "bent",
    [
        {**FACTS, "line": -1},
        {**FACTS, "line": "2"},
        {**FACTS, "exception": "e" * 300},
        {**FACTS, "frames": FACTS["frames"] * 30},
        {**FACTS, "frames": [{**FACTS["frames"][0], "values": {str(n): "" for n in range(99)}}]},
        {**FACTS, "comparison": {"left": "1" * 2000, "operator": "==", "right": "2"}},
        {**FACTS, "sure": True},
    ],
)
def test_facts_beyond_their_form_are_no_event(told: Any, bent: dict[str, object]) -> None:
    report = told.judge(told.session(*told.test("test_a", "failed", facts=bent)), tests="def test_a(): ...")

    assert report.status == "tampered"


def test_what_a_run_used_and_left_is_told(told: Any) -> None:
    used = {"cpu_seconds": 0.5, "peak_memory_bytes": 3 * 2**20, "left_running": 7, "left_names": ["a\nb", "c" * 99]}
    report = told.judge(two_green(told), **used)

    assert report.resources.model_dump() == {"cpu_seconds": 0.5, "peak_memory_mb": 3.0}
    assert report.leftovers.count == 7
    assert report.leftovers.names == ["a b", "c" * 39 + "…"]


def test_text_from_the_container_is_cut_to_size(told: Any) -> None:
    events = told.session(*told.test("test_a", "failed", message="m" * 20_000, traceback="t" * 20_000))
    report = told.judge(events, tests="def test_a(): ...", output_head="h" * 10, output_tail="t", output_bytes=9999)

    assert len(report.tests[0].message) <= 500
    assert len(report.tests[0].traceback) < 6100
    assert len(report.error_summary) <= 6000
    assert "bytes left out" in report.output


TEXT = st.text(max_size=12)


def any_event(ours: list[str]) -> st.SearchStrategy[dict[str, object]]:
    """An event of a guest, or nearly one, about tests of the suite and about `ours`."""
    return st.one_of(
        st.fixed_dictionaries({"event": st.just("collected"), "ids": st.lists(TEXT, max_size=3)}),
        st.fixed_dictionaries(
            {"event": st.just("start"), "id": st.sampled_from(["test_solution.py::test_a", "x", *ours])}
        ),
        st.fixed_dictionaries({"event": st.just("finish"), "status": st.integers(0, 5), "nonce": TEXT}),
        st.fixed_dictionaries({"event": st.just("exit"), "status": st.integers(0, 5)}),
        st.fixed_dictionaries({"event": st.just("collect_error"), "id": TEXT, "message": TEXT, "traceback": TEXT}),
        st.fixed_dictionaries(
            {
                "event": st.sampled_from(["phase", "subtest"]),
                "id": st.sampled_from([*(f"test_solution.py::test_{name}" for name in "abc"), *ours]),
                "phase": st.sampled_from(["setup", "call", "teardown"]),
                "outcome": st.sampled_from(["passed", "failed", "skipped"]),
                "expected_to_fail": st.booleans(),
                "seconds": st.floats(0, 1),
            }
        ),
        st.dictionaries(TEXT, st.none() | st.integers() | TEXT, max_size=3),
    )


def essence(events: list[dict[str, object]], ours: list[str]) -> list[dict[str, object]]:
    """What a story claims, its subtests that passed and its durations aside."""
    plain = [{key: value for key, value in event.items() if key != "seconds"} for event in events]
    ours_aside = [event for event in plain if event.get("id") not in ours]
    idle = [event for event in ours_aside if event.get("event") == "subtest" and event.get("outcome") == "passed"]
    return [event for event in plain if event not in idle]


@given(data=st.data(), code=st.sampled_from([1, 1, 1, 0, 2, None]))
def test_no_bent_story_is_green(told: Any, data: st.DataObject, code: int | None) -> None:
    ours = [told.secret.canary.passes, told.secret.canary.fails]
    events = two_green(told)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(events) - 1)))
        match data.draw(st.sampled_from(["drop", "repeat", "swap", "insert", "replace"])):
            case "drop":
                del events[at : at + 1]
            case "repeat":
                events.insert(at, events[at] if events else {})
            case "swap":
                other = data.draw(st.integers(0, max(0, len(events) - 1)))
                if events:
                    events[at], events[other] = events[other], events[at]
            case "insert":
                events.insert(at, data.draw(any_event(ours)))
            case "replace":
                events[at : at + 1] = [data.draw(any_event(ours))]
    report = told.judge(events, code=code)

    assert report.passed == (code == 1 and essence(events, ours) == essence(two_green(told), ours))
    assert report.passed or report.reason


@given(report=st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")), status=st.integers(0, 0xFFFF))
def test_no_text_makes_the_judge_raise_or_say_green(told: Any, report: str, status: int) -> None:
    assert not told.judge([], report=report, wait_status=status).passed


@given(
    tests=st.text() | st.sampled_from(["(" * 5000, "\0", "def test_a(): ...", "class TestA:\n def test_b(self): ..."])
)
def test_no_suite_makes_the_judge_raise(told: Any, tests: str) -> None:
    verdict: TestReport = told.judge(two_green(told), tests=tests)

    assert verdict.status in {"passed", "tampered", "incomplete"}
