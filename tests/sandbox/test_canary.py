"""Tests of our own in each session: whatever goes otherwise with them than it must is named, and nothing is green."""

import ast
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.canary import new_canary

Event = dict[str, object]
LEFT_OUT = "left out, added or moved"


def fails(told: Any) -> dict[str, str]:
    """Our tests that must fail, with their messages."""
    return {test: start + end for test, (start, end) in told.secret.canary.messages.items()}


def passes(told: Any) -> str:
    canary = told.secret.canary
    return str(next(test for test in (*canary.before, *canary.after) if test not in canary.messages))


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
    ids = [*before, "test_solution.py::test_a", *after]
    return [
        {"event": "collected", "ids": ids},
        *told.ours(before),
        *told.test("test_a"),
        *told.ours(after),
        *told.end(),
    ]


def ours(told: Any) -> tuple[list[str], list[str]]:
    return list(told.secret.canary.before), list(told.secret.canary.after)


FORGED: dict[str, tuple[str, Callable[[Any], list[Event]]]] = {
    "none before the suite": (LEFT_OUT, lambda told: around(told, [], ours(told)[1])),
    "none after the suite": (LEFT_OUT, lambda told: around(told, ours(told)[0], [])),
    "none at all": (LEFT_OUT, lambda told: around(told, [], [])),
    "in the wrong order": (LEFT_OUT, lambda told: around(told, *reversed(ours(told)))),
    "all before the suite": (LEFT_OUT, lambda told: around(told, [*ours(told)[0], *ours(told)[1]], [])),
    "one more of them": (
        LEFT_OUT,
        lambda told: around(told, [*ours(told)[0], f"{told.secret.canary.file}::test_more"], ours(told)[1]),
    ),
    "one of another name": (
        LEFT_OUT,
        lambda told: renamed(green(told), passes(told), f"{told.secret.canary.file}::test_x"),
    ),
    "one of the suite's file": (LEFT_OUT, lambda told: renamed(green(told), passes(told), "test_solution.py::test_x")),
    "one that must pass and fails": (
        "must pass did not",
        lambda told: changed(told, passes(told), "call", outcome="failed", message="assert 1"),
    ),
    "one that must pass and is skipped": (
        "must pass did not",
        lambda told: changed(told, passes(told), "call", outcome="skipped"),
    ),
    "one that must pass and was expected to fail": (
        "must pass did not",
        lambda told: changed(told, passes(told), "call", expected_to_fail=True),
    ),
    "another message": (
        "another message",
        lambda told: changed(told, next(iter(fails(told))), "call", message="AssertionError: assert 1 == 2"),
    ),
    "the other one's message": (
        "another message",
        lambda told: changed(told, next(iter(fails(told))), "call", message=list(fails(told).values())[1]),
    ),
}


def otherwise(number: int, **fields: object) -> Callable[[Any], list[Event]]:
    """A session in which the call of one of those that must fail was reported otherwise."""
    return lambda told: changed(told, list(fails(told))[number], "call", **fields)


for place, called in enumerate(("first", "second")):
    FORGED |= {
        f"the {called} that must fail passes": ("must fail did not", otherwise(place, outcome="passed")),
        f"the {called} that must fail is skipped": ("must fail did not", otherwise(place, outcome="skipped")),
        f"the {called} that must fail is expected to": ("must fail did not", otherwise(place, expected_to_fail=True)),
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
    test, (start, end) = next(iter(told.secret.canary.messages.items()))
    report = told.judge(changed(told, test, "call", message=f"{start}'builtins.all'{end}"), tests="def test_a(): ...")

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
    last = told.secret.canary.after[-1]
    events = changed(told, last, "teardown", outcome="failed", message="ZeroDivisionError: division by zero")
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
    canaries = [new_canary() for _ in range(20)]

    assert len({canary.file for canary in canaries}) == 20
    assert len({canary.source for canary in canaries}) == 20
    assert len({len(canary.before) for canary in canaries}) == 2
    for canary in canaries:
        assert len(canary.messages) == 2
        assert set(canary.messages) < {*canary.before, *canary.after}
        names = {node.name for node in ast.parse(canary.source).body if isinstance(node, ast.FunctionDef)}
        assert {f"{canary.file}::{name}" for name in names} == {*canary.before, *canary.after}
