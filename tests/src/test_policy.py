"""Where and when a person is asked: a small vocabulary, and rules that a model has no part in."""

from pathlib import Path

import pytest

from src.config import load_settings
from src.errors import ConfigurationError
from src.policy import POINTS, Facts, matters, read_conditions, read_points

CALM = Facts(cost=0.2)


def test_points_are_named_in_any_number_and_each_counts_once() -> None:
    assert read_points(" code, Spec,code,") == ("code", "spec")
    assert read_points(",".join(POINTS)) == POINTS
    assert read_points("") == ()


@pytest.mark.parametrize("text", ["codes", "spec;code", "assumption"])
def test_a_point_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="none of spec, code, patch, dispute, escalation"):
        read_points(text)


def test_conditions_are_read() -> None:
    assert read_conditions("cost > $0.50, suspicion,suite_changed") == ("cost>0.50", "suspicion", "suite_changed")


@pytest.mark.parametrize("text", ["cost", "cost<1", "cost>x", "cost>-1", "cost>1e3", "model says so"])
def test_a_condition_outside_the_vocabulary_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="none of cost>DOLLARS, suspicion, suite_changed"):
        read_conditions(text)


@pytest.mark.parametrize(
    ("conditions", "facts", "holds"),
    [
        ((), CALM, True),
        (("cost>0.2",), CALM, False),
        (("cost>0.19",), CALM, True),
        (("cost>1",), Facts(cost=None), True),
        (("suspicion",), CALM, False),
        (("suspicion",), Facts(0.0, suspicion=True), True),
        (("suite_changed",), Facts(0.0, suspicion=True), False),
        (("cost>1", "suite_changed"), Facts(0.0, suite_changed=True), True),
    ],
)
def test_one_condition_that_holds_is_enough(conditions: tuple[str, ...], facts: Facts, holds: bool) -> None:
    assert matters(conditions, facts) == holds


def test_the_settings_tell_what_a_wrong_word_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings(tmp_path, approve="spec, patch").approve == ("spec", "patch")
    monkeypatch.setenv("APPROVE_WHEN", "cost>0.5,often")
    with pytest.raises(ConfigurationError, match=r"APPROVE_WHEN: 'often' is none of cost>DOLLARS"):
        load_settings(tmp_path)
