"""What becomes of assumptions: labels, a second reading and a person's answers side by side."""

import pytest

from src.gates.provenance import Provenance, provenance_of
from src.gates.reading import LEAVE_OPEN, Heard, SecondReading, Stance, Weighing, weigh

SUITE = """\
import pytest
from solution import f


@pytest.mark.request("doubles a number")
def test_doubles():
    assert f(2) == 4


@pytest.mark.assumption("a negative number is refused")
def test_negative():
    with pytest.raises(ValueError):
        f(-1)
"""
STANCE = Stance("solution")
QUESTION = "What should `f(-1)` return or raise?"


def read(answer: str = "", kind: str = "request") -> SecondReading:
    label = Provenance("test_doubles", kind, "why")  # type: ignore[arg-type]  # a kind
    return SecondReading({"Q1": Heard(answer, "because")}, {"test_doubles": label})


def outcomes(weighing: Weighing) -> list[str]:
    return [found.outcome for found in weighing.assumptions]


def test_without_a_reading_an_assumption_stands() -> None:
    weighing = weigh(SUITE, None, STANCE)
    assert (outcomes(weighing), weighing.tests) == (["stands"], SUITE)


def test_an_answer_that_is_what_the_test_demands_lets_it_stand() -> None:
    weighing = weigh(SUITE, read("raises ValueError"), STANCE)
    assert (outcomes(weighing), weighing.tests) == (["stands"], SUITE)
    assert weighing.assumptions[0].reading == "raises ValueError"


@pytest.mark.parametrize("answer", ["", "returns -2", "raises TypeError", "it depends"])
def test_any_other_answer_takes_its_tests_out_and_keeps_their_source(answer: str) -> None:
    weighing = weigh(SUITE, read(answer), STANCE)
    (found,) = weighing.assumptions
    assert found.outcome == "contested"
    assert "def test_negative" in found.source
    assert "test_negative" not in weighing.tests
    assert "test_doubles" in weighing.tests
    assert weighing.binds


def test_a_weaker_label_holds_and_a_stronger_one_changes_nothing() -> None:
    weaker = weigh(SUITE, read("raises ValueError", "property"), STANCE)
    assert provenance_of(weaker.tests)["test_doubles"] == Provenance("test_doubles", "property", "why")
    stronger = weigh(SUITE, read("raises ValueError", "example"), STANCE)
    assert stronger.tests == SUITE


def test_a_test_that_reads_as_an_assumption_is_contested_at_once() -> None:
    weighing = weigh(SUITE, read("raises ValueError", "assumption"), STANCE)
    assert outcomes(weighing) == ["contested", "stands"]
    assert weighing.assumptions[0].reading == "not settled: why"
    assert "test_doubles" not in weighing.tests


def test_nothing_binds_when_every_test_is_contested() -> None:
    assert not weigh(SUITE, read("", "assumption"), STANCE).binds


def test_dropped_assumptions_bind_nothing_whatever_was_read() -> None:
    weighing = weigh(SUITE, None, Stance("solution", drop=True))
    assert outcomes(weighing) == ["dropped"]
    assert "test_negative" not in weighing.tests


def test_what_may_be_asked_stays_until_it_is_answered() -> None:
    weighing = weigh(SUITE, read("returns -2"), Stance("solution", may_ask=True))
    (found,) = weighing.assumptions
    assert found.to_ask
    assert found.others == ("returns -2",)
    assert weighing.tests == SUITE


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("raises ValueError", "settled"),
        ("ValueError", "settled"),
        ("returns 2", "contested"),
        (LEAVE_OPEN, "contested"),
    ],
)
def test_a_person_s_answer_counts_for_good(answer: str, outcome: str) -> None:
    stance = Stance("solution", may_ask=True, answers={QUESTION: answer})
    weighing = weigh(SUITE, read("returns 7"), stance)
    assert outcomes(weighing) == [outcome]
    assert ("test_negative" in weighing.tests) is (outcome == "settled")


def test_one_call_that_differs_contests_the_whole_assumption() -> None:
    suite = SUITE + "    assert f(-3) == 0\n"
    answers = {"Q1.1": Heard("raises ValueError", ""), "Q1.2": Heard("returns 1", "")}
    weighing = weigh(suite, SecondReading(answers, {}), STANCE)
    assert outcomes(weighing) == ["contested"]
    assert weighing.assumptions[0].reading == "f(-1) raises ValueError; f(-3) returns 1"


def test_a_suite_that_does_not_parse_is_left_alone() -> None:
    assert weigh("def (", read(), STANCE).tests == "def ("
