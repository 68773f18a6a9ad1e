"""How near a lesson is to a request, counted from what the model gives for tasks of other kinds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.meaning import NEAR, OTHERS, Vector, nearness, unit

REQUEST = unit([1.0, 0.0, 0.0])


def at(cosine: float) -> Vector:
    """A vector that has this cosine with the request."""
    return unit([cosine, (1 - cosine**2) ** 0.5, 0.0])


def others(cosine: float) -> dict[str, Vector]:
    return dict.fromkeys(OTHERS, at(cosine))


def test_a_lesson_is_as_near_as_it_is_nearer_than_tasks_of_other_kinds() -> None:
    scores = nearness(REQUEST, {**others(0.5), "same": at(1.0), "near": at(0.8), "far": at(0.55), "farther": at(-0.5)})
    assert scores == {"same": pytest.approx(1.0), "near": pytest.approx(0.6, abs=1e-5)}


@pytest.mark.parametrize("base", [-0.2, 0.1, 0.4, 0.7, 0.9])
def test_a_model_that_finds_everything_alike_tells_no_more_than_another(base: float) -> None:
    alike = {f"lesson-{number}": at(base + 0.1 * (1 - base)) for number in range(9)}
    assert nearness(REQUEST, {**others(base), **alike}) == {}


def test_a_request_that_is_near_to_one_of_those_tasks_still_finds_its_lessons() -> None:
    vectors = {**others(0.3), next(iter(OTHERS)): at(0.95), "lesson": at(0.8)}
    assert set(nearness(REQUEST, vectors)) == {"lesson"}


def test_vectors_of_another_length_are_not_compared() -> None:
    assert nearness(REQUEST, {**others(0.0), "old": unit([1.0, 0.0])}) == {}


@pytest.mark.parametrize("numbers", [[], [0.0, 0.0], [float("inf"), 1.0], [float("nan")]])
def test_numbers_that_give_no_direction_are_refused(numbers: list[float]) -> None:
    with pytest.raises(ValueError, match="direction"):
        unit(numbers)


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(any), min_size=1, max_size=6))
@settings(max_examples=50)
def test_whatever_the_vectors_are_a_score_lies_between_near_and_one(found: list[list[float]]) -> None:
    vectors = {f"lesson-{number}": unit(one) for number, one in enumerate(found)}
    for score in nearness(REQUEST, {**others(0.2), **vectors}).values():
        assert NEAR <= score <= 1 + 1e-5
