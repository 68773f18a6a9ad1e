"""What a lesson is, to which request it belongs, and when it fades."""

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.candidates import candidate_of
from src.lessons import (
    MAX_CAUSE,
    MAX_HINTS,
    Lesson,
    Record,
    chosen,
    key_of,
    lesson_of,
    made,
    project_name,
    record_of,
    relevance,
    wilson_upper,
    worth,
)
from src.state import Best, TeamState


def lesson(cause: str, request: str = "") -> Lesson:
    return made(cause, request, "a", "2026-01-01")


def told_of(lessons: list[Lesson], request: str, records: list[Record]) -> list[Lesson]:
    """Those that are told, by their words."""
    return chosen(lessons, relevance(request, {one.key: f"{one.cause} {one.request}" for one in lessons}), records)


def ended(status: str = "passed", iteration: int = 1, *history: str) -> TeamState:
    return TeamState(
        best=Best(code="x", test_results={"status": status}, iteration=iteration),
        debug_history=list(history),
        user_request="Limit the rate.",
        status="completed",
    )


WINDOW = "The window was never pruned, so old timestamps counted for ever."


def test_a_healed_run_teaches_the_cause_that_its_last_repair_found() -> None:
    found = lesson_of(ended("passed", 2, "Iteration 1: A guess.", f"Iteration 2: {WINDOW}"), "a", "now")
    assert found is not None
    assert (found.cause, found.request, found.run_id) == (WINDOW, "Limit the rate.", "a")


@pytest.mark.parametrize("state", [ended("passed", 0), ended("failed", 1, "Iteration 1: x"), {}, ended("passed", 1)])
def test_no_other_run_teaches_anything(state: TeamState) -> None:
    assert lesson_of(state, "a", "now") is None


def test_the_same_cause_in_other_letters_is_one_lesson() -> None:
    assert key_of("The window  was NEVER pruned!") == key_of("the window was never pruned")
    assert key_of("the window was pruned") != key_of("the window was never pruned")


def test_a_lesson_is_one_bounded_line_that_steers_no_terminal() -> None:
    told = lesson("a\x1b[31m\n# heading\u202e" + "x" * 9000)
    assert len(told.cause) <= MAX_CAUSE
    assert told.cause.isprintable()


def test_a_lesson_is_told_to_a_request_that_it_has_words_in_common_with() -> None:
    limiter = lesson(WINDOW, "A rate limiter with a sliding window.")
    parser = lesson("The sign before the exponent was dropped.", "Parse numbers in scientific notation.")
    assert told_of([limiter, parser], "Build a rate limiter.", []) == [limiter]
    assert told_of([limiter, parser], "Return the value of the function.", []) == []


def test_at_most_five_are_told_the_most_relevant_first() -> None:
    many = [lesson(f"Cache eviction number{n} was wrong", "An LRU cache") for n in range(9)]
    best = lesson("The LRU cache moved a key to the wrong end on get", "An LRU cache with get and put")
    told = told_of([*many, best], "An LRU cache: get moves a key to the end, put evicts", [])
    assert len(told) == MAX_HINTS
    assert told[0] == best


def test_a_word_that_few_lessons_hold_counts_for_more() -> None:
    texts = {"common": "cache key", "rare": "cache bloom", **{f"o{n}": "cache key other" for n in range(8)}}
    found = relevance("cache key bloom", texts)
    assert found["rare"] > found["common"]


def records(key: str, saw: int, green: int, others: int, others_green: int) -> list[Record]:
    told = [Record(f"t{n}", n < green, (key,)) for n in range(saw)]
    return told + [Record(f"o{n}", n < others_green, ()) for n in range(others)]


def test_a_new_lesson_is_tried() -> None:
    assert worth("k", []).standing == worth("k", records("k", 0, 0, 20, 10)).standing == 1.0


def test_a_lesson_that_helps_keeps_its_standing_and_one_that_does_not_fades() -> None:
    assert not worth("k", records("k", 30, 24, 30, 12)).faded
    assert worth("k", records("k", 60, 24, 60, 24)).faded
    assert worth("k", records("k", 5, 0, 20, 12)).faded
    assert not worth("k", records("k", 2, 0, 20, 6)).faded, "two runs prove little"


def test_what_has_faded_is_not_told() -> None:
    limiter = lesson(WINDOW, "A rate limiter with a sliding window.")
    bad = records(limiter.key, 6, 0, 20, 15)
    assert told_of([limiter], "A rate limiter with a window", bad) == []


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
@settings(max_examples=100)
def test_a_standing_is_a_share_and_one_more_success_never_lowers_it(a: int, b: int, c: int, d: int) -> None:
    saw, others = a + b, c + d
    less, more = worth("k", records("k", saw, a, others, c)), worth("k", records("k", saw, min(a + 1, saw), others, c))
    assert 0 <= less.standing <= more.standing <= 1
    assert a / saw - 1e-9 <= wilson_upper(a, saw) <= 1 if saw else wilson_upper(0, 0) == 1


def test_only_the_first_module_counts_as_green_at_once() -> None:
    assert [record_of(ended("passed", n), "a").green for n in (0, 1)] == [True, False]  # type: ignore[union-attr]
    assert record_of({}, "a") is None


@pytest.mark.parametrize(("first", "green"), [("passed", True), ("failed", False)])
def test_of_several_developers_the_first_one_says_whether_lessons_have_helped(first: str, green: bool) -> None:
    each = [{**candidate_of(1, ""), "status": first}, {**candidate_of(2, ""), "status": "passed"}]
    found = record_of(cast(TeamState, {**ended("passed", 0), "candidates": each}), "a")
    assert found is not None
    assert found.green is green


def test_a_project_is_its_repository_or_its_folder_or_what_it_is_called(tmp_path: Path) -> None:
    inner = tmp_path / "My Project" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "My Project" / ".git").mkdir()
    assert project_name(None, inner) == project_name(None, inner.parent)
    assert project_name(None, inner).startswith("my-project-")
    assert project_name(None, inner) != project_name(None, tmp_path)
    assert project_name("Team.One/x", inner) == "team-one-x"
