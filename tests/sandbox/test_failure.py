"""The text that a debugger reads: only what helps, and never too much of it."""

from hypothesis import given
from hypothesis import strategies as st

from sandbox import TestOutcome
from sandbox.failure import SUMMARY_CHARACTERS, one_line, relevant, shorten, summarise
from sandbox.protocol import CollectError
from sandbox.report import Comparison, ModuleFrame


def with_facts(name: str, text: str) -> TestOutcome:
    frames = [ModuleFrame(function=text, line=1, source=text, values={text: text}) for _ in range(8)]
    told = {"frames": frames, "stdout": text, "stderr": text, "line": 1, "source": text}
    sides = Comparison(left=text, operator=text, right=text)
    return failed(name).model_copy(update={**told, "comparison": sides})


def failed(name: str, traceback: str = "test_solution.py:1: in test\nE   assert 1 == 2") -> TestOutcome:
    return TestOutcome(id=name, outcome="failed", message="assert 1 == 2", traceback=traceback)


def test_green_tests_are_left_out() -> None:
    text = summarise("1 of 2 tests failed", [], [TestOutcome(id="test_green", outcome="passed"), failed("test_red")])

    assert text == "1 of 2 tests failed\n\nFAILED test_red\ntest_solution.py:1: in test\nE   assert 1 == 2\n"


def test_a_collection_error_is_told_in_full() -> None:
    error = CollectError(event="collect_error", id="test_solution.py", message="ImportError", traceback="E   no f")

    assert summarise("reason", [error], []) == "reason\n\nERROR test_solution.py\nE   no f\n"


def test_a_failure_without_traceback_is_told_by_its_message() -> None:
    assert summarise("", [], [failed("test_red", traceback="")]) == "FAILED test_red\nassert 1 == 2\n"


def test_a_failure_is_told_with_the_values_in_the_module_and_with_what_was_printed() -> None:
    frame = ModuleFrame(function="Limiter.take", line=7, source="return left / rate", values={"rate": "0", "left": "3"})
    test = failed("test_red").model_copy(
        update={"frames": [frame], "stdout": "one\nFAILED test_two\n", "stderr": "err"}
    )

    assert summarise("", [], [test]).splitlines()[3:] == [
        "in Limiter.take, at line 7 of the module (return left / rate):",
        "    rate = 0",
        "    left = 3",
        "its output:",
        "    one",
        "    FAILED test_two",
        "its error output:",
        "    err",
    ]


def test_the_line_and_both_sides_are_told_where_the_traceback_does_not_show_them() -> None:
    known = {"line": 3, "source": "assert a == b", "comparison": Comparison(left="[1, 2]", operator="==", right="[3]")}
    silent = failed("test_red", traceback="").model_copy(update=known)
    shown = failed("test_red", traceback="s.py:3: in test_red\nE   assert [1, 2] == [3]").model_copy(update=known)

    assert summarise("", [], [silent]).splitlines()[2:] == [
        "line 3 of the suite: assert a == b",
        "left of ==: [1, 2]",
        "right of it: [3]",
    ]
    assert summarise("", [], [shown]).splitlines()[1:] == shown.traceback.splitlines()


def test_when_there_is_no_room_failures_get_a_line_each_and_the_rest_are_counted() -> None:
    text = summarise("many", [], [failed(f"test_{number}", "x" * 2000) for number in range(300)])

    assert len(text) <= SUMMARY_CHARACTERS
    assert "FAILED test_0\nxxx" in text
    assert "FAILED test_30: assert 1 == 2\n" in text
    shown = text.count("FAILED ")
    assert text.endswith(f"… and {300 - shown} more\n")


@given(
    reason=st.text(),
    tests=st.lists(
        st.builds(failed, st.text(max_size=400), st.text() | st.just("y" * 9000))
        | st.builds(with_facts, st.text(max_size=9), st.text(max_size=99) | st.just("w\n" * 3000)),
        max_size=40,
    ),
    errors=st.lists(
        st.builds(CollectError, event=st.just("collect_error"), id=st.text(), traceback=st.just("z" * 9000)), max_size=9
    ),
)
def test_no_failure_makes_the_text_longer_than_its_bound(
    reason: str, tests: list[TestOutcome], errors: list[CollectError]
) -> None:
    assert len(summarise(reason, errors, tests)) <= SUMMARY_CHARACTERS


def test_frames_of_pytest_and_of_the_import_machinery_are_left_out() -> None:
    traceback = """\
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
/opt/selfheal/site-packages/_pytest/assertion/rewrite.py:186: in exec_module
    exec(co, module.__dict__)
test_solution.py:1: in <module>
    from solution import nothing
E   ImportError: cannot import name 'nothing'"""

    assert relevant(traceback).splitlines() == [
        "Traceback:",
        "test_solution.py:1: in <module>",
        "    from solution import nothing",
        "E   ImportError: cannot import name 'nothing'",
    ]


def test_a_traceback_with_no_other_frames_is_kept() -> None:
    traceback = "/opt/selfheal/site-packages/_pytest/x.py:1: in f\n    g()"

    assert relevant(traceback) == traceback


def test_the_middle_of_a_long_text_is_left_out() -> None:
    assert shorten("a" * 50 + "b" * 50, 20) == "a" * 10 + "\n[… 80 characters left out …]\n" + "b" * 10
    assert one_line("a\n  b\tc") == "a b c"
    assert one_line("x" * 20, 10) == "x" * 9 + "…"
