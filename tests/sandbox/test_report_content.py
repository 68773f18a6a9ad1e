"""What a real container tells of each test and of the run."""

from collections.abc import Callable

import pytest

from sandbox import TestReport
from sandbox.report import Comparison

pytestmark = pytest.mark.docker
Run = Callable[..., TestReport]


def test_a_failure_tells_its_type_its_line_both_sides_and_what_was_printed(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import sys
from solution import double

def test_a():
    print("to output")
    print("to error output", file=sys.stderr)
    assert double([1]) == [1, 1]

def test_b():
    print("of the other")
""",
        "def double(values):\n    print('of the module')\n    return [*values, 2]\n",
    )
    red, green = report.tests

    assert red.exception == "AssertionError"
    assert (red.line, red.source) == (8, "assert double([1]) == [1, 1]")
    assert red.comparison == Comparison(left="[1, 2]", operator="==", right="[1, 1]")
    assert red.frames == []
    assert (red.stdout, red.stderr) == ("to output\nof the module\n", "to error output\n")
    assert (green.stdout, green.exception, green.comparison) == ("of the other\n", "", None)
    assert "of the module" in report.error_summary
    assert "of the other" not in report.error_summary


def test_an_exception_from_the_module_tells_the_calls_that_it_went_through(run_in_shared: Run) -> None:
    report = run_in_shared(
        "from solution import Box\ndef test_a():\n    Box(3).share(0)\n",
        """
class OutOfIt(Exception): ...

class Box:
    def __init__(self, size):
        self.size = size

    def share(self, among):
        rest = "r" * 500
        return divided(self.size, among)

def divided(whole, parts):
    try:
        return whole / parts
    except ZeroDivisionError as error:
        raise OutOfIt("nobody") from error
""",
    )
    test = report.tests[0]
    share, divided = test.frames

    assert test.exception == "solution.OutOfIt"
    assert (share.function, share.line, share.source) == ("Box.share", 10, "return divided(self.size, among)")
    assert share.values["self"] == "Box(size=3)"
    assert share.values["among"] == "0"
    assert len(share.values["rest"]) < 150
    assert (divided.function, divided.values["whole"]) == ("divided", "3")
    assert "in Box.share, at line 10 of the module (return divided(self.size, among)):" in report.error_summary
    assert "    self = Box(size=3)" in report.error_summary


HOSTILE_REPR = """
class Bent:
    def __repr__(self):
        {}
    __str__ = __repr__

def broken(number):
    bent = Bent()
    loop = [bent]
    loop.append(loop)
    deep = []
    for _ in range(5000):
        deep = [deep]
    raise KeyError(number)
"""


@pytest.mark.parametrize(
    "does", ["raise SystemExit", "return repr(self)", "return 7", "while True: pass", "import os; os._exit(0)"]
)
def test_local_values_are_told_without_their_own_words(run_in_shared: Run, does: str) -> None:
    report = run_in_shared("from solution import broken\ndef test_a(): broken(7)", HOSTILE_REPR.format(does))

    assert report.status == "failed"
    values = report.tests[0].frames[0].values
    assert values["number"] == "7"
    assert values["bent"] == "<Bent object>"
    assert values["loop"].startswith("[<Bent object>, [")
    assert values["deep"] == "[[[[…]]]]"


def test_a_deep_recursion_tells_its_first_and_its_last_calls(run_in_shared: Run) -> None:
    report = run_in_shared("from solution import down\ndef test_a(): down(0)", "def down(n):\n    return down(n + 1)\n")
    frames = report.tests[0].frames

    assert report.tests[0].exception == "RecursionError"
    assert frames[0].values == {"n": "0"}
    assert 3 <= len(frames) <= 8
    assert int(frames[-1].values["n"]) > 900


def test_an_assertion_that_was_caught_lends_its_sides_to_no_other(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
def test_a():
    try:
        assert 1 == 2
    except AssertionError:
        pass
    assert not [3]
"""
    )

    assert report.tests[0].comparison is None
    assert report.tests[0].line == 7


def test_failures_of_unittest_and_of_set_up_are_told_too(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import unittest
import pytest

class It(unittest.TestCase):
    def test_a(self):
        self.assertEqual(1, 2)

@pytest.fixture
def broken():
    raise OSError("no")

def test_b(broken): ...
"""
    )

    assert [(test.exception, test.line, test.outcome) for test in report.tests] == [
        ("AssertionError", 7, "failed"),
        ("OSError", 11, "error"),
    ]


def test_what_a_test_prints_is_bounded_for_each_and_for_all(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import pytest

@pytest.mark.parametrize("n", range(150))
def test_a(n):
    print("x" * 4000)
""",
        seconds=30,
    )

    assert report.passed, report
    assert 1000 < len(report.tests[0].stdout) < 3000
    assert sum(len(test.stdout) for test in report.tests) < 250_000


def test_nothing_is_printed_but_by_the_job(run_in_shared: Run) -> None:
    report = run_in_shared("def test_a(): print('mine')\ndef test_b(): assert 0")

    assert report.output == "mine\n"


def test_a_run_tells_what_it_used(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import time
def test_a():
    hoard = bytearray(64 * 1024 * 1024)
    until = time.process_time() + 0.4
    while time.process_time() < until: pass
"""
    )

    assert report.passed, report
    assert report.resources.cpu_seconds is not None
    assert 0.4 <= report.resources.cpu_seconds < 10
    assert report.resources.peak_memory_mb is not None
    assert 64 <= report.resources.peak_memory_mb <= 257
    assert report.isolation == "one process"


def test_processes_that_live_on_are_counted_and_named(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import os, subprocess, time
def test_a():
    subprocess.Popen(["sleep", "60"])
    if os.fork() == 0:
        os.setsid()
        open("/proc/self/comm", "w").write("sn\\x1beaky")
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    os.wait()
"""
    )

    assert report.passed, report
    assert report.leftovers.count == 2
    assert "sleep" in report.leftovers.names


def test_a_run_that_cleans_up_leaves_nothing(run_in_shared: Run) -> None:
    report = run_in_shared("import multiprocessing\ndef test_a():\n    multiprocessing.Lock()\n")

    assert (report.leftovers.count, report.leftovers.names) == (0, [])


def test_a_fixture_of_the_session_that_breaks_in_the_end_is_an_error_of_the_last_test(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import pytest

@pytest.fixture(scope="session")
def whole():
    yield 1
    raise OSError("too late")

def test_a(whole): ...
"""
    )

    assert report.status == "failed"
    assert [(test.id, test.outcome, test.exception) for test in report.tests] == [("test_a", "error", "OSError")]


def test_modules_named_like_the_guests_own_are_those_of_the_job(run_in_shared: Run) -> None:
    report = run_in_shared(
        """
import sys
def test_a():
    taken = {"reporter", "values", "facts", "seals", "parking", "worker", "tally", "watch", "launch"}
    assert not taken & set(sys.modules)
"""
    )

    assert report.passed, report.error_summary


def test_a_report_can_be_read_back_from_plain_data(run_in_shared: Run) -> None:
    report = run_in_shared("from solution import f\ndef test_a(): assert f() == 1", "def f(): raise KeyError('k')")

    assert TestReport.model_validate(report.model_dump()) == report
    assert TestReport.model_validate_json(report.model_dump_json()) == report
