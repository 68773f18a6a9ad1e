"""The debugger's claim that tests are wrong, and the architect's answer, in the shapes that models write."""

# ruff: noqa: E501 - a case is one line

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.parsing import FormatError, parse_debugger, parse_dispute
from src.reply import Reply

OLD = "def add(a, b):\n    return a + b\n"
NEW = "def add(a, b):\n    return sum((a, b))\n"
TEST = "def test_small():\n    assert add(1, 2) == 3\n"
SAID = "the specification says 3; the test expects 4"


def block(code: str) -> str:
    return f"```python\n{code}```\n"


CLAIMS = {
    "the form that was asked for": f"### DIAGNOSIS\n\nd\n\n### FAULT\n\ntests\n\n### DISPUTED_TESTS\n\n- `test_a`: {SAID}\n",
    "the word in the heading": f"### FAULT: tests\n\n### DISPUTED TESTS\n\n1. **test_a** {SAID}\n",
    "a bold line": f"**Fault:** the test suite\n\n**Disputed tests**\n\n* test_a: {SAID}\n",
    "code that is sent along": f"### FAULT\ntests\n### DISPUTED_TESTS\n- test_a: {SAID}\n### PATCHED_CODE\n{block(OLD)}",
    "no section for the tests": f"FAULT: tests, not the code\n\nThe test `test_a` is wrong: {SAID}.\n",
    "json": json.dumps({"diagnosis": "d", "fault": "tests", "disputed_tests": f"test_a: {SAID}"}),
    "elements": f"<fault>tests</fault>\n<disputed_tests>\ntest_a: {SAID}\n</disputed_tests>\n",
}


@pytest.mark.parametrize("shape", CLAIMS)
def test_a_claim_is_found(shape: str) -> None:
    got = parse_debugger(Reply(CLAIMS[shape], "complete"), ("add",), OLD)
    assert got.claim is not None
    assert got.claim.tests == ("test_a",)
    assert SAID in got.claim.reason
    assert "return" not in got.claim.reason
    assert got.code == ""


def test_several_tests_may_stand_in_a_line() -> None:
    text = (
        "### FAULT\ntests\n### DISPUTED_TESTS\n- `test_a`, `TestX::test_b[1-2]` and test_c: all three, unlike test_d\n"
    )
    got = parse_debugger(Reply(text, "complete"), ("add",), OLD)
    assert got.claim is not None
    assert got.claim.tests == ("test_a", "TestX::test_b[1-2]", "test_c")


@pytest.mark.parametrize(
    "fault", ["", "### FAULT\n\ncode\n\n", "### FAULT\n\nThe code, not the tests.\n\n", "FAULT: both\n\n"]
)
def test_without_a_claim_the_code_is_at_fault(fault: str) -> None:
    got = parse_debugger(Reply(f"{fault}### PATCHED_CODE\n\n{block(NEW)}", "complete"), ("add",), OLD)
    assert (got.claim, got.code) == (None, NEW)


def test_code_that_did_not_change_is_still_refused_without_a_claim() -> None:
    with pytest.raises(FormatError, match="same as before"):
        parse_debugger(Reply(f"### FAULT\n\ncode\n\n### PATCHED_CODE\n\n{block(OLD)}", "complete"), ("add",), OLD)


DECISIONS = {
    "the form that was asked for": f"### DECISION\n\namend\n\n### REASON\n\nr\n\n### TESTS\n\n{block(TEST)}",
    "the word beside the name": f"DECISION: amend\n\n### REASON\nr\n\n### TESTS\n{block(TEST)}",
    "json": json.dumps({"decision": "amend", "reason": "r", "tests": TEST}),
}


@pytest.mark.parametrize("shape", DECISIONS)
def test_an_amendment_is_found(shape: str) -> None:
    got = parse_dispute(Reply(DECISIONS[shape], "complete"))
    assert (got.decision, got.reason, got.tests, got.contradiction) == ("amend", "r", TEST, "")


def test_a_contradiction_is_found() -> None:
    text = DECISIONS["the form that was asked for"].replace("### TESTS", '### CONTRADICTION\n\n"words"\n\n### TESTS')
    assert parse_dispute(Reply(text, "complete")).contradiction == '"words"'


@pytest.mark.parametrize("text", ["### DECISION\n\nkeep\n\n### REASON\n\nr\n", "**Decision:** I keep the test.\n\nr\n"])
def test_a_decision_to_keep_is_found(text: str) -> None:
    got = parse_dispute(Reply(text, "complete"))
    assert (got.decision, got.reason, got.tests) == ("keep", "r", "")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("### REASON\n\nr\n", "no_decision"),
        ("### DECISION\n\nkeep or amend\n\n### REASON\n\nr\n", "no_decision"),
        ("### DECISION\n\nkeep\n", "no_decision"),
        ("### DECISION\n\namend\n\n### REASON\n\nr\n", "missing_tests"),
        ("", "empty"),
    ],
)
def test_an_answer_that_decides_nothing_is_refused(text: str, kind: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_dispute(Reply(text, "complete"))
    assert caught.value.kind == kind


_WORDS = [
    "### FAULT",
    "tests",
    "code",
    "### DISPUTED_TESTS",
    "- `test_a`: x",
    "### DECISION",
    "amend",
    "keep",
    "### REASON",
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from([*_WORDS, "### TESTS", "```python", "```", TEST, "{", "<fault>"]), max_size=12))
def test_no_reply_makes_them_raise_anything_else(lines: list[str]) -> None:
    reply = Reply("\n".join(lines), "complete")
    for read in (lambda: parse_debugger(reply, ("add",), OLD), lambda: parse_dispute(reply)):
        with suppress(FormatError):
            read()
