"""What a debugger is sent against the tutorial's way: whole runs of the team, with tests run in this process."""

import ast
import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks import tokens, tutorial
from benchmarks.attempts import failing, variants
from benchmarks.counting import repeated, tokens_of
from benchmarks.healing import heal, untold
from benchmarks.labels import labelled
from benchmarks.sent import figures, table
from benchmarks.tasks import Task
from sandbox import Comparison, Job, TestOutcome, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report

SUITE = """\
from solution import clamp


def test_low():
    assert clamp(-3) == 0


def test_inside():
    assert clamp(4) == 4


def test_edge():
    assert clamp(9) == 9


def test_high():
    assert clamp(12) == 9
"""
REQUEST = "Write `clamp(n)`: n, but at least 0 and at most 9."
RIGHT = "def clamp(n):\n    if n < 0:\n        return 0\n    if n > 9:\n        return 9\n    return n\n"
WRONG = RIGHT.replace("n > 9", "n > 10")


def task(name: str, buggy: str | None) -> Task:
    return Task(name, REQUEST, RIGHT, buggy, labelled(SUITE, REQUEST), SUITE, slow=False)


def run(job: Job) -> TestReport:
    """What the suite of these tasks says of a module: its asserts, compared here."""
    names: dict[str, Any] = {}
    try:
        exec(job.code, names)
    except Exception as error:  # noqa: BLE001  # a fake of the module may do anything
        return failing_report(["test_low"], message=str(error))
    outcomes = []
    for test in (node for node in ast.parse(job.tests).body if isinstance(node, ast.FunctionDef)):
        outcomes.append(_outcome(test, names))
    red = [one for one in outcomes if one.outcome == "failed"]
    if not red:
        return passing_report([one.id for one in outcomes])
    template = failing_report([one.id for one in red], [one.id for one in outcomes if one not in red])
    return template.model_copy(update={"tests": outcomes})


def _outcome(test: ast.FunctionDef, names: dict[str, Any]) -> TestOutcome:
    (check,) = test.body
    assert isinstance(check, ast.Assert)
    assert isinstance(check.test, ast.Compare)
    wanted = ast.literal_eval(check.test.comparators[0])
    try:
        found = eval(ast.unparse(check.test.left), names)
    except Exception as error:  # noqa: BLE001  # as pytest does
        return TestOutcome(id=test.name, outcome="failed", message=str(error), exception=type(error).__name__)
    if type(found) is int and found == wanted:
        return TestOutcome(id=test.name, outcome="passed")
    sides = Comparison(left=repr(found), operator="==", right=repr(wanted))
    return TestOutcome(
        id=test.name,
        outcome="failed",
        message=f"assert {found!r} == {wanted!r}",
        exception="AssertionError",
        line=check.lineno,
        source=ast.unparse(check),
        comparison=sides,
    )


def test_two_tasks_are_healed_in_every_length_and_both_sides_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tutorial, "failure_of", lambda _code, suite: f"= FAILURES =\n{suite}" * 5)
    lines: list[str] = []
    tasks = [task("with a bug", WRONG), task("without", None)]
    measured = {"here": tokens.measure(FakeSandbox(run, series=run), tasks, lines.append)}
    found = figures(measured)
    assert 0 < found["share_of_tutorial"] < 1
    assert (found["runs"], found["healed"], found["fixes_lost"]) == (2, 2, [])
    assert found["facts_missing"] == {}
    assert 0 < found["cached_prefix_share"] < 1
    assert list(found["by_source"]["here"]) == ["1", "2", "3"]
    assert found["tokens"] > found["by_source"]["here"]["1"]["tokens"]
    assert json.loads(json.dumps(found)) == found
    assert "here          3" in table(measured)
    assert lines[0].startswith("1 of 2: with a bug: n = 1: ")


def test_a_run_that_does_not_end_with_the_right_module_is_a_fix_that_was_lost() -> None:
    never = FakeSandbox(lambda _job: failing_report(message="always the same"), series=run)
    healing = heal(task("lost", WRONG), [WRONG, RIGHT.replace("9", "8")], never)
    assert not healing.verified
    assert len(healing.calls) == 2


def test_a_task_whose_suite_the_gate_refuses_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tutorial, "failure_of", lambda _code, _suite: "")
    fine = task("refused", WRONG)
    vacuous = replace(fine, suite=fine.suite + "\n\ndef test_nothing():\n    assert 1 == 1\n")
    (passed_over,) = tokens.measure(FakeSandbox(run, series=run), [vacuous], print)
    assert not passed_over.runs
    assert passed_over.told.startswith("its suite is refused: ")


def test_a_fact_that_is_not_told_is_noticed() -> None:
    report = run(Job(code=WRONG.replace("> 10", "> 99"), tests=SUITE))
    told = "FAILED test_high: AssertionError\nleft of ==: 12\nright: 9\ndef test_high():\n    assert clamp(12) == 9"
    assert list(untold(report, SUITE, told)) == []
    assert list(untold(report, SUITE, told.replace("AssertionError", ""))) == ["test_high: exception"]
    assert list(untold(report, SUITE, told.replace("def test_high", ""))) == ["test_high: source"]


def test_variants_change_one_thing_and_those_chosen_fail_in_ways_of_their_own() -> None:
    assert RIGHT.replace("n < 0", "n <= 0") in variants(RIGHT)
    chosen = failing([RIGHT], 3, 1, lambda codes: [run(Job(code=code, tests=SUITE)) for code in codes])
    ways = {run(Job(code=code, tests=SUITE)).model_dump_json() for code in chosen}
    assert len(ways) == len(chosen) == 3


def test_tokens_are_counted_by_words_digits_marks_and_blanks() -> None:
    assert tokens_of([("human", "def clamp(n):")]) == 5
    assert tokens_of([("system", "=" * 60), ("human", "incomprehensibilities")]) == 13
    assert repeated([[("human", "one two")], [("human", "one two three")], [("human", "two")]]) == 2


def test_the_tutorial_is_told_what_pytest_prints_up_to_its_summary() -> None:
    told = tutorial.failure_of(WRONG.replace("> 10", "> 99"), SUITE, seconds=120)
    assert told.startswith("=")
    assert "FAILURES" in told.splitlines()[0]
    assert "assert 12 == 9" in told
    assert "short test summary" not in told
    assert tutorial.told_of("line\n" * 40) == "\n".join(["line"] * 25)
