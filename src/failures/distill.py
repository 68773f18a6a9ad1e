"""What the debugger is told of a red report: what failed, where, with which values, and the tests it is about."""

from sandbox import TestOutcome, TestReport, details, shorten
from src.failures.helpers import helper_sources
from src.failures.signature import normalised
from src.gates.excerpts import sources_of
from src.text import clean, one_line

DEFAULT_FAILURE_CHARS = 6000
_TEST_CHARACTERS = 1500
_TRACEBACK_CHARACTERS = 1500
_LEAST_ROOM = 300


def distilled(report: TestReport, suite: str, room: int) -> str:
    """The failure in at most `room` characters.

    The first failing test of each kind in full, with its source, the assertion's two sides and the frames within the
    module; one line for each further one; what the tests lean on; the names of those that pass.
    """
    red = [test for test in report.tests if test.outcome not in ("passed", "not_run") or test.message]
    if not red:
        return _cut(clean(report.error_summary or report.reason), room)
    firsts = list({_kind(test): test for test in reversed(red)}.values())[::-1]
    rest = [test for test in red if test not in firsts]
    names = [_base(test.id) for test in firsts]
    tail = _tail(report, rest, room // 4)
    helpers = helper_sources(suite, names)
    lean = f"\nWhat these tests use:\n{_cut(helpers, room // 5)}\n" if helpers.strip() else ""
    body = _fitting(firsts, suite, room - len(report.reason[:200]) - len(tail) - len(lean) - 2)
    return _cut(clean(f"{one_line(report.reason, 200)}\n{body}{lean}{tail}"), room)


def _fitting(tests: list[TestOutcome], suite: str, room: int) -> str:
    """Each test in full while there is room, then in a line, then counted."""
    text = ""
    for done, test in enumerate(tests):
        left = room - len(text)
        full = f"\n{_in_full(test, suite)}"
        if len(full) > left and not done:
            full = f"{_cut(full, max(left, _LEAST_ROOM))}\n"
        chosen = full if len(full) <= left or not done else _brief(test)
        if len(chosen) > left and done:
            return f"{text}… and {len(tests) - done} more kinds of failure\n"
        text += chosen
    return text


def _in_full(test: TestOutcome, suite: str) -> str:
    source = sources_of(suite, [_base(test.id)])
    known = details(test.model_copy(update={"traceback": ""}))
    if not test.frames and test.comparison is None:
        known += f"{shorten(test.traceback, _TRACEBACK_CHARACTERS)}\n" if test.traceback else ""
    shown = f"{shorten(source.rstrip(), _TEST_CHARACTERS)}\n" if source else ""
    return (
        f"{test.outcome.upper().replace('_', ' ')} {one_line(test.id)}\n{one_line(test.message, 500)}\n{known}{shown}"
    )


def _tail(report: TestReport, rest: list[TestOutcome], room: int) -> str:
    lines = [_brief(test) for test in rest]
    told = f"\nFailing in the same ways:\n{_cut(''.join(lines), room * 2 // 3)}\n" if lines else ""
    passing = [_base(test.id) for test in report.tests if test.outcome == "passed"]
    names = ", ".join(dict.fromkeys(passing))
    return f"{told}\nPassing: {one_line(names, room // 3)}\n" if names else told


def _brief(test: TestOutcome) -> str:
    return f"{test.outcome.upper()} {one_line(test.id, 120)}: {one_line(test.message)}\n"


def _kind(test: TestOutcome) -> tuple[str, int | str]:
    """Failures that went through the same line of the module with the same exception are of one kind."""
    return test.exception, test.frames[-1].line if test.frames else normalised(test.message)


def _base(identity: str) -> str:
    """Name of the test without the parameters of this case."""
    return identity.partition("[")[0]


def _cut(text: str, room: int) -> str:
    mark = "\n[… cut]"
    return text if len(text) <= room else text[: max(room - len(mark), 0)] + mark[:room]
