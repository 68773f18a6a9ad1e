"""What the request leaves open, through the graph: read a second time, contested, asked of a person, settled."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox import Job, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.errors import ConfigurationError, ProviderError
from src.gates.source import found_tests, parse
from src.runs import Runs

REQUEST = "Write to_binary(n), which turns a number into binary digits: to_binary(5) returns '101'."
HEAD = "import pytest\n\nfrom solution import to_binary\n\n\n"
EXAMPLE = """\
@pytest.mark.example("to_binary(5) returns '101'")
def test_five():
    assert to_binary(5) == "101"


"""
DIGITS = """\
@pytest.mark.request("turns a number into binary digits")
def test_digits():
    assert set(to_binary(77)) == {"0", "1"}


"""
NEGATIVE = """\
@pytest.mark.assumption("a negative number raises ValueError")
def test_negative():
    with pytest.raises(ValueError):
        to_binary(-5)


"""
SIGNED = """\
@pytest.mark.request("returns '-101'")
def test_negative():
    assert to_binary(-5) == "-101"


"""
QUESTION = "What should `to_binary(-5)` return or raise?"
CODE = "```python\ndef to_binary(n):\n    return bin(n)[2:]\n```\n"
NOT_SETTLED = "Q1: not settled | nothing is said about them\nT1: request | turns a number into binary digits"
AGREES = "Q1: raises ValueError | which turns a number\nT1: request | turns a number into binary digits"


def design(*tests: str) -> str:
    return f"### SPECIFICATIONS\n\nIt turns.\n\n### TESTS\n\n```python\n{HEAD}{''.join(tests)}```\n"


def green(job: Job) -> TestReport:
    """Green for the module, red for the fakes that the suite is vetted with."""
    tests = found_in(job.tests)
    return passing_report(tests) if "bin(n)" in job.code else failing_report(tests)


def found_in(suite: str) -> list[str]:
    tree = parse(suite)
    return [] if isinstance(tree, str) else [test.name for test in found_tests(tree)]


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "runs.sqlite", max_corrections=1, min_tests=1)


@pytest.fixture
def crew(team: Callable[..., Any]) -> Callable[..., Any]:
    """A team whose architect designs with an assumption, unless told otherwise."""

    def make(*readings: Any, **answers: Any) -> Any:
        designs = [design(EXAMPLE, DIGITS, NEGATIVE)]
        given = {"architect": designs, "developer": [CODE], "reviewer": ["Good."], **answers}
        return team(FakeSandbox(green), "r", reader=list(readings), **given)

    return make


def standings(state: Any) -> list[tuple[str, str]]:
    return [(found["words"], found["standing"]) for found in state["assumptions"]]


def test_an_assumption_that_reads_the_same_stands_and_binds(runs: Runs, crew: Callable[..., Any]) -> None:
    state = runs.start(REQUEST, crew(AGREES).context)
    assert standings(state) == [("a negative number raises ValueError", "stands")]
    assert "test_negative" in state["tests"]


def test_a_contested_assumption_does_not_bind_the_code(runs: Runs, crew: Callable[..., Any]) -> None:
    team = crew(NOT_SETTLED)
    state = runs.start(REQUEST, team.context)
    assert standings(state) == [("a negative number raises ValueError", "contested")]
    assert "test_negative" not in state["tests"]
    assert "to_binary(-5)" in state["assumptions"][0]["source"]
    assert "to_binary(-5)" not in team.models["developer"].asked[0][1][1]
    assert [(line["gate"], line["action"]) for line in state["audit"] if line["gate"] == "second reading"] == [
        ("second reading", "contested: its tests do not bind the code")
    ]


def test_the_reader_sees_the_request_and_neutral_questions_only(runs: Runs, crew: Callable[..., Any]) -> None:
    team = crew(AGREES)
    runs.start(REQUEST, team.context)
    told = "\n".join(text for _, text in team.models["reader"].asked[0][1:])
    assert REQUEST in told
    assert QUESTION in told
    for secret in ("ValueError", "raises", "It turns.", "pytest.mark", "test_five"):
        assert secret not in told


def test_a_weaker_label_holds_and_is_told_in_the_trail(runs: Runs, crew: Callable[..., Any]) -> None:
    state = runs.start(REQUEST, crew(AGREES.replace("T1: request", "T1: property")).context)
    assert '@pytest.mark.property("turns a number into binary digits")\ndef test_digits' in state["tests"]
    assert "labelled property" in [line["action"] for line in state["audit"]]


def test_a_reply_that_is_incomplete_or_quotes_what_is_not_there_is_corrected(
    runs: Runs, crew: Callable[..., Any]
) -> None:
    made_up = AGREES.replace("which turns a number\n", "negative numbers are refused\n")
    state = runs.start(REQUEST, crew(made_up, AGREES).context)
    (refusal,) = state["rejections"]
    assert refusal["role"] == "reader"
    assert "do not occur in the request" in refusal["reasons"][0]
    assert state["assumptions"][0]["standing"] == "stands"


@pytest.mark.parametrize("readings", [("no", "no"), (ProviderError("The key was refused."),)])
def test_a_reader_that_fails_costs_the_reading_and_not_the_run(
    runs: Runs, crew: Callable[..., Any], readings: Any
) -> None:
    state = runs.start(REQUEST, crew(*readings).context)
    assert state["status"] == "completed"
    assert state["reading"]["missing"]
    assert state["assumptions"][0]["standing"] == "stands"


def test_no_reader_is_asked_when_the_second_reading_is_off(runs: Runs, crew: Callable[..., Any]) -> None:
    team = crew()
    state = runs.start(REQUEST, team.context, second_reading=False)
    assert team.models["reader"].asked == []
    assert state["assumptions"][0]["standing"] == "stands"


def test_dropped_assumptions_leave_the_suite_and_are_not_asked(runs: Runs, crew: Callable[..., Any]) -> None:
    team = crew("T1: request | turns a number into binary digits")
    state = runs.start(REQUEST, team.context, assume="drop")
    assert "test_negative" not in state["tests"]
    assert QUESTION not in team.models["reader"].asked[0][1][1]
    assert state["assumptions"][0]["standing"] == "dropped"


def test_a_run_without_a_test_that_binds_ends_before_code_is_written(runs: Runs, crew: Callable[..., Any]) -> None:
    only = [design(NEGATIVE)]
    team = crew("Q1: not settled | nothing is said", architect=only)
    state = runs.start("Write to_binary(n).", team.context)
    assert state["status"] == "nothing_binds"
    assert team.models["developer"].asked == []


def paused(runs: Runs, crew: Callable[..., Any]) -> None:
    runs.start(REQUEST, crew(NOT_SETTLED).context, assume="ask")
    approval = runs.saved("r").approval
    assert approval is not None
    assert approval.question == QUESTION
    assert approval.options == ("raises ValueError", "leave open")


def test_a_contested_assumption_is_asked_and_the_run_waits(runs: Runs, crew: Callable[..., Any]) -> None:
    paused(runs, crew)
    team = crew()
    assert "code" not in runs.resume("r", team.context), "without an answer nothing is called"
    with pytest.raises(ConfigurationError, match="empty"):
        runs.resume("r", team.context, "  ")
    assert runs.saved("r").approval is not None, "a malformed answer leaves the question open"


@pytest.mark.parametrize("answer", ["a", "raises ValueError", "ValueError"])
def test_an_answer_as_the_architect_assumed_settles_it(runs: Runs, crew: Callable[..., Any], answer: str) -> None:
    paused(runs, crew)
    team = crew()
    state = runs.resume("r", team.context, answer)
    assert standings(state) == [("a negative number raises ValueError", "settled")]
    assert "test_negative" in state["tests"]
    assert f"Settled by the person who asked: {QUESTION}" in team.models["developer"].asked[0][1][1]
    assert state["original_request"] == REQUEST


def test_left_open_it_does_not_bind_and_the_request_stays(runs: Runs, crew: Callable[..., Any]) -> None:
    paused(runs, crew)
    state = runs.resume("r", crew().context, "leave open")
    assert (state["user_request"], state["assumptions"][0]["standing"]) == (REQUEST, "contested")


def test_another_answer_goes_back_to_the_architect_with_the_longer_request(
    runs: Runs, crew: Callable[..., Any]
) -> None:
    paused(runs, crew)
    team = crew(
        "T1: request | turns a number into binary digits\nT2: request | returns '-101'",
        architect=[design(EXAMPLE, DIGITS, SIGNED)],
    )
    state = runs.resume("r", team.context, "returns '-101'")
    assert f"{QUESTION} returns '-101'" in team.models["architect"].asked[0][1][1]
    assert '"-101"' in state["tests"]
    assert (state["rounds"], state["assumptions"]) == (1, [])


def test_an_architect_that_insists_is_not_asked_for_ever(runs: Runs, crew: Callable[..., Any]) -> None:
    paused(runs, crew)
    team = crew(NOT_SETTLED)
    state = runs.resume("r", team.context, "returns '-101'")
    assert state["status"] == "completed"
    assert state["assumptions"][0]["standing"] == "contested"
    assert "test_negative" not in state["tests"]


def test_an_answer_that_nothing_asked_for_is_refused(runs: Runs, crew: Callable[..., Any]) -> None:
    runs.start(REQUEST, crew(AGREES).context)
    with pytest.raises(ConfigurationError, match="does not wait"):
        runs.resume("r", crew().context, "a")
