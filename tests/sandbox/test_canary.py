"""Tests of our own in each session: whatever goes otherwise with them than it must is named, and nothing is green."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.canary import Canary

Event = dict[str, object]
LEFT_OUT = "left out, added or moved"


def green(told: Any) -> list[Event]:
    events: list[Event] = told.session(*told.test("test_a"))
    return events


def changed(told: Any, test: str, phase: str, **fields: object) -> list[Event]:
    """A green session in which a phase of one of our tests was reported otherwise."""
    events = green(told)
    assert any(event.get("id") == test and event.get("phase") == phase for event in events)
    return [
        {**event, **fields} if event.get("id") == test and event.get("phase") == phase else event for event in events
    ]


def renamed(events: list[Event], old: str, new: str) -> list[Event]:
    def name(event: Event) -> Event:
        ids = event.get("ids")
        if isinstance(ids, list):
            return {**event, "ids": [new if identity == old else identity for identity in ids]}
        return {**event, "id": new} if event.get("id") == old else event

    return [name(event) for event in events]


def around(told: Any, before: list[str], after: list[str]) -> list[Event]:
    """A session in which our tests are those of `before` and `after` the suite."""
    canary = told.secret.canary
    outcomes = {canary.fails: told.failing(), canary.passes: told.passing()}

    def heard(tests: list[str]) -> list[Event]:
        return [event for test in tests for event in outcomes.get(test) or told.test(test)]

    collected: Event = {"event": "collected", "ids": [*before, "test_solution.py::test_a", *after]}
    return [collected, *heard(before), *told.test("test_a"), *heard(after), *told.end()]


def passes(told: Any) -> str:
    return str(told.secret.canary.passes)


def fails(told: Any) -> str:
    return str(told.secret.canary.fails)


FORGED: dict[str, tuple[str, Callable[[Any], list[Event]]]] = {
    "none before the suite": (LEFT_OUT, lambda told: around(told, [], [fails(told)])),
    "none after the suite": (LEFT_OUT, lambda told: around(told, [passes(told)], [])),
    "none at all": (LEFT_OUT, lambda told: around(told, [], [])),
    "in the wrong order": (LEFT_OUT, lambda told: around(told, [fails(told)], [passes(told)])),
    "all before the suite": (LEFT_OUT, lambda told: around(told, [passes(told), fails(told)], [])),
    "all after the suite": (LEFT_OUT, lambda told: around(told, [], [passes(told), fails(told)])),
    "one more of them": (
        LEFT_OUT,
        lambda told: around(told, [passes(told), f"{told.secret.canary.file}::test_more"], [fails(told)]),
    ),
    "one of another name": (
        LEFT_OUT,
        lambda told: renamed(green(told), passes(told), f"{told.secret.canary.file}::test_x"),
    ),
    "one of the suite's file": (LEFT_OUT, lambda told: renamed(green(told), passes(told), "test_solution.py::test_x")),
    "one that must pass and fails": (
        "must pass did not: assert ['builtins.all'] == []",
        lambda told: changed(told, passes(told), "call", outcome="failed", message="assert ['builtins.all'] == []"),
    ),
    "one that must pass and fails in its set-up": (
        "out of turn",
        lambda told: changed(told, passes(told), "setup", outcome="failed"),
    ),
    "one that must pass and is skipped": (
        "must pass did not",
        lambda told: changed(told, passes(told), "call", outcome="skipped"),
    ),
    "one that must pass and was expected to fail": (
        "must pass did not",
        lambda told: changed(told, passes(told), "call", expected_to_fail=True),
    ),
    "one that must fail and passes": (
        "must fail did not",
        lambda told: changed(told, fails(told), "call", outcome="passed"),
    ),
    "one that must fail and is skipped": (
        "must fail did not",
        lambda told: changed(told, fails(told), "call", outcome="skipped"),
    ),
    "one that must fail and was expected to": (
        "must fail did not",
        lambda told: changed(told, fails(told), "call", expected_to_fail=True),
    ),
    "another message": (
        "another message",
        lambda told: changed(told, fails(told), "call", message="AssertionError: assert 1 == 2"),
    ),
    "the message of another run": (
        "another message",
        lambda told: changed(told, fails(told), "call", message="".join(Canary().message)),
    ),
}


@pytest.mark.parametrize("lie", FORGED)
def test_a_session_whose_own_tests_went_otherwise_is_tampered(told: Any, lie: str) -> None:
    reason, forge = FORGED[lie]
    report = told.judge(forge(told), tests="def test_a(): ...")

    assert report.status == "tampered"
    assert reason in report.reason


def test_one_of_them_told_twice_is_a_contradiction(told: Any) -> None:
    events = green(told)
    twice = [*events[:5], *events[1:5], *events[5:]]

    assert told.judge(twice, tests="def test_a(): ...").status == "tampered"


def test_a_red_suite_does_not_excuse_them(told: Any) -> None:
    events = told.session(*told.test("test_a", "failed", message="assert 0"))
    honest = told.judge(events, tests="def test_a(): ...")
    bent = [{**event, "message": "assert 0"} if event.get("outcome") == "failed" else event for event in events]
    report = told.judge(bent, tests="def test_a(): ...")

    assert (honest.status, report.status) == ("failed", "tampered")
    assert "FAILED test_a" in report.error_summary


def test_what_was_replaced_is_named(told: Any) -> None:
    start, end = told.secret.canary.message
    report = told.judge(
        changed(told, fails(told), "call", message=f"{start}'builtins.all'{end}"), tests="def test_a(): ..."
    )

    assert report.status == "tampered"
    assert report.reason == "pytest was tampered with: these were replaced while the suite ran: 'builtins.all'"


def test_they_are_no_part_of_the_report(told: Any) -> None:
    report = told.judge(green(told), tests="def test_a(): ...")

    assert report.passed
    assert (report.exit_code, report.counts.collected) == (0, 1)
    assert [test.id for test in report.tests] == ["test_a"]
    assert told.secret.canary.file not in report.model_dump_json()


@pytest.mark.parametrize(
    ("heard", "where"), [(3, "before the first test"), (-4, "after the last test"), (0, "while the suite was imported")]
)
def test_a_run_that_ends_within_them_says_so_without_their_names(told: Any, heard: int, where: str) -> None:
    report = told.judge(green(told)[:heard], tests="def test_a(): ...", code=None, ended_by="timeout")

    assert report.status == "timeout"
    assert where.split()[-1] in report.reason
    assert told.secret.canary.file not in report.reason


def test_a_session_that_ends_before_they_are_over_is_incomplete(told: Any) -> None:
    events = [*told.begin("test_a"), *told.test("test_a"), *told.end()]

    assert told.judge(events, tests="def test_a(): ...").status == "incomplete"


def test_a_fixture_of_the_whole_session_that_breaks_in_the_end_is_an_error_of_the_last_test(told: Any) -> None:
    events = changed(told, fails(told), "teardown", outcome="failed", message="ZeroDivisionError: division by zero")
    report = told.judge(events, tests="def test_a(): ...")

    assert report.status == "failed"
    assert [(test.id, test.outcome) for test in report.tests] == [("test_a", "error")]
    assert "ZeroDivisionError" in report.tests[0].message


@given(data=st.data())
def test_no_session_is_green_in_which_one_of_their_events_differs(told: Any, data: st.DataObject) -> None:
    events = green(told)
    own = [n for n, event in enumerate(events) if str(event.get("id", "")).startswith(told.secret.canary.file)]
    at = data.draw(st.sampled_from(own))
    field = data.draw(st.sampled_from(sorted(set(events[at]) - {"seconds"})))
    value = data.draw(st.text(max_size=8) | st.sampled_from(["passed", "failed", "call", True, None, "subtest"]))
    changed_event = {**events[at], field: value}
    report = told.judge([*events[:at], changed_event, *events[at + 1 :]], tests="def test_a(): ...")

    same = {"message": "", **changed_event} == {"message": "", **events[at]}
    told_nothing = field == "message" and events[at].get("outcome") == "passed"
    assert report.passed == (same or (told_nothing and isinstance(value, str)))


def test_each_run_has_others() -> None:
    canaries = [Canary() for _ in range(20)]

    for told in ("file", "passes_name", "fails_name", "words", "number", "message"):
        assert len({getattr(canary, told) for canary in canaries}) == 20
