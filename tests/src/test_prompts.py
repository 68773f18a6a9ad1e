"""What the roles are told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markdown_it import MarkdownIt

from src.gates.suite import SuiteFacts, check_suite
from src.prompts import conversation, correction, fenced


def debugger(**changes: object) -> str:
    given = {
        "module_name": "solution",
        "user_request": "REQUEST",
        "specs": "SPECS",
        "debug_history": ["Iteration 1: FIRST"],
        "disputes_left": 2,
        "code": "CODE",
        "iteration": 1,
        "blocks": False,
        "dropped": None,
        "mended": "",
        "broke": "",
        "flaky": "",
        "status": "failed",
        "passed": 1,
        "collected": 2,
        "failure": "ERRORS",
    }
    return conversation("debugger", **{**given, **changes})[1][1]


def test_a_conversation_is_a_fixed_part_and_what_this_call_is_about() -> None:
    (system, fixed), (human, varying) = conversation("architect", module_name="limits", user_request="REQUEST")
    assert (system, human) == ("system", "human")
    assert "limits" not in fixed
    assert "REQUEST" in varying
    assert "from limits import" in varying


@pytest.mark.parametrize(("name", "there"), [("pytest", True), ("hypothesis", True), ("numpy", False)])
def test_the_architect_is_told_of_the_packages_that_a_suite_may_import(name: str, there: bool) -> None:
    (line,) = [
        line
        for line in conversation("architect", module_name="solution", user_request="REQUEST")[0][1].split("\n")
        if "standard library" in line
    ]
    suite = f"import {name}\nfrom solution import f\n\n\ndef test_f():\n    assert f({name}) == 1\n"
    refused = check_suite(suite, SuiteFacts("solution", min_tests=1)).reasons
    assert (name in line) is there
    assert any(f"`{name}`" in reason and "not installed" in reason for reason in refused) is not there


def test_a_variable_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        conversation("developer", module_name="solution", user_request="REQUEST")


def test_what_stays_the_same_in_a_healing_run_stands_first() -> None:
    text = debugger()
    order = [text.index(part) for part in ["REQUEST", "SPECS", "FIRST", "CODE", "ERRORS"]]
    assert order == sorted(order)


def test_two_iterations_share_their_beginning() -> None:
    first = debugger(debug_history=[], code="OLD")
    second = debugger(debug_history=["Iteration 1: FIRST"], code="NEW")
    assert first[: first.index("</spec")] == second[: second.index("</spec")]


def test_text_is_never_taken_for_a_template() -> None:
    assert "{{ 7 * 7 }}" in conversation("architect", module_name="solution", user_request="{{ 7 * 7 }}")[1][1]


def test_a_correction_lists_every_reason_word_for_word() -> None:
    speaker, text = correction(["no test", "does not parse"])
    assert speaker == "human"
    assert "- no test\n- does not parse" in text


@given(st.text(alphabet=st.sampled_from("`~ab\n")))
def test_no_text_can_close_its_fence(text: str) -> None:
    (token,) = MarkdownIt().parse(fenced(text, "python"))
    assert token.type == "fence"
    assert token.content.rstrip() == text.rstrip()


def test_the_debugger_of_a_single_developer_is_told_nothing_of_others() -> None:
    assert debugger(agreed=[]) == debugger()
    told = debugger(agreed=["2 developers …: ```"])
    assert told.startswith(debugger())
    assert told.endswith("````text\n2 developers …: ```\n````")
