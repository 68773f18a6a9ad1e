"""What the debugger is told of a red report: what failed, where, with which values, and the tests it is about."""

import ast
from collections.abc import Iterator, Mapping, Sequence

from sandbox import TestOutcome, TestReport, shorten
from src.failures.helpers import helper_sources
from src.failures.labels import labels_of, unlabelled
from src.failures.signature import normalised
from src.failures.tables import with_rows
from src.failures.telling import base_of, in_full, in_lines
from src.gates.definitions import last_name
from src.gates.excerpts import sources_of
from src.gates.source import found_tests, parse
from src.text import clean, one_line

DEFAULT_FAILURE_CHARS = 6000
_TEST_CHARACTERS = 1500
_PASSING = 200
_LEAST_ROOM = 300
_FURTHER = 2
"""Further failures of a kind that are told of apart."""


def distilled(report: TestReport, suite: str, room: int, known: str = "") -> str:
    """The failure in at most `room` characters; what stands in `known` already is not told again.

    The first failing test of each kind in full, with both sides of its assertion and the calls within the module; its
    source, once for all its cases, what it leans on and its row of a table; one line for each further way of failing;
    the names of the tests that pass.
    """
    red = [test for test in report.tests if test.outcome not in ("passed", "not_run") or test.message]
    if not red:
        return _cut(clean(report.error_summary or report.reason), room)
    firsts = [alike[0] for alike in kinds(red, suite)]
    rest = [test for test in red if test not in firsts]
    reason = "" if report.status == "failed" else f"{one_line(report.reason, 200)}\n"
    names = [base_of(test.id) for test in firsts]
    shown = "" if suite in known else _with_shown_rows(report, suite, [*firsts, *_valued(rest)])
    labels = labels_of(suite)
    tail = _tail(report, firsts, rest, labels, room // 4)
    helpers = helper_sources(shown, names, known)
    lean = f"\nWhat these tests use:\n{_cut(helpers, room // 5)}\n" if helpers.strip() else ""
    body = _fitting(firsts, _sources(names, shown), labels, room - len(reason) - len(tail) - len(lean) - 2)
    return _cut(clean(f"{reason}{body}{lean}{tail}").strip("\n"), room)


def kinds(red: Sequence[TestOutcome], suite: str) -> list[list[TestOutcome]]:
    """Failing tests by the kind of their failure: of one kind are those that went through the same line of the module
    with the same exception; where there is no such line, those that failed with it and call the same.
    """
    calls = _calls(suite)
    found: dict[object, list[TestOutcome]] = {}
    for test in red:
        called = calls.get(base_of(test.id)) or normalised(test.message)
        found.setdefault((test.exception, test.frames[-1].line if test.frames else called), []).append(test)
    return list(found.values())


def _calls(suite: str) -> dict[str, frozenset[str]]:
    """What each test calls, by its last name."""
    tree = parse(suite)
    if isinstance(tree, str):
        return {}
    return {test.name: frozenset(_called_in(test.function.body)) for test in found_tests(tree)}


def _called_in(body: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield last_name(node.func)


def _valued(rest: Sequence[TestOutcome]) -> list[TestOutcome]:
    """Those that are told of with two values, which mean nothing without what went in."""
    return [test for test in rest[:_FURTHER] if test.comparison]


def _with_shown_rows(report: TestReport, suite: str, shown: Sequence[TestOutcome]) -> str:
    """The suite without the rows of its tables that no test of `shown` is about."""
    cases: dict[str, list[str]] = {}
    for test in report.tests:
        cases.setdefault(base_of(test.id), []).append(test.id)
    wanted = {name: {ids.index(test.id) for test in shown if base_of(test.id) == name} for name, ids in cases.items()}
    return with_rows(suite, {name: len(ids) for name, ids in cases.items()}, wanted)


def _fitting(tests: Sequence[TestOutcome], sources: Mapping[str, str], labels: Mapping[str, str], room: int) -> str:
    """Each test in full while there is room, then in a line, then counted."""
    text, left_over = "", dict(sources)
    for done, test in enumerate(tests):
        left = room - len(text)
        name = base_of(test.id)
        full = f"\n{in_full(test, left_over.get(name, ''), labels.get(name, ''))}"
        if len(full) > left and not done:
            full = f"{_cut(full, max(left, _LEAST_ROOM))}\n"
        chosen = full if len(full) <= left or not done else in_lines([test], 1, labels)
        if len(chosen) > left and done:
            return f"{text}… and {len(tests) - done} more kinds of failure\n"
        text += chosen
        if chosen is full:
            left_over.pop(name, None)
    return text


def _sources(names: Sequence[str], suite: str) -> dict[str, str]:
    sources = {name: unlabelled(sources_of(suite, [name])).rstrip() for name in dict.fromkeys(names)}
    return {name: f"{shorten(source, _TEST_CHARACTERS)}\n" for name, source in sources.items() if source}


def _tail(
    report: TestReport,
    firsts: Sequence[TestOutcome],
    rest: Sequence[TestOutcome],
    labels: Mapping[str, str],
    room: int,
) -> str:
    lines = in_lines(rest, _FURTHER, labels, {base_of(test.id) for test in firsts})
    told = f"\nFailing in the same ways:\n{_cut(lines.rstrip(), room * 2 // 3)}\n" if rest else ""
    red = {base_of(test.id) for test in report.tests if test.outcome != "passed"}
    passing = dict.fromkeys(base_of(test.id) for test in report.tests if base_of(test.id) not in red)
    return f"{told}\nPassing: {one_line(', '.join(passing), min(_PASSING, room // 3))}\n" if passing else told


def _cut(text: str, room: int) -> str:
    mark = "\n[… cut]"
    return text if len(text) <= room else text[: max(room - len(mark), 0)] + mark[:room]
