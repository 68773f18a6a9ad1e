"""What measured failures say about a disputed test."""

from typing import Any

from src.gates.evidence import MAX_CANDIDATES, MAX_TEXT, agreed_apart, agreement, failing_tests, forgotten, observed
from src.state import Observation

SEEN = "assert f() == 4 → 3 == 4"
ONE, TWO = "def f():\n    return 3\n", "def f():\n    return 1 + 2\n"


def failed(name: str, left: str, outcome: str = "failed") -> dict[str, Any]:
    compared = {"left": left, "operator": "==", "right": "4"}
    return {"id": name, "outcome": outcome, "message": "m", "source": "assert f() == 4", "comparison": compared}


def results(*tests: dict[str, Any]) -> dict[str, Any]:
    return {"tests": [*tests, {"id": "test_green", "outcome": "passed"}]}


def seen(*measured: tuple[str, dict[str, Any]]) -> list[Observation]:
    found: list[Observation] = []
    for code, test in measured:
        found = observed(found, code, results(test))
    return found


def test_two_candidates_that_observe_the_same_agree_against_a_test() -> None:
    both = seen((ONE, failed("test_a", "3")), (TWO, failed("test_a", "3")))
    assert agreement(both, ["test_a"]) == [
        "2 different candidates agree with each other against test_a: assert f() == 4 → 3 == 4"
    ]
    assert agreement(both, ["test_b"]) == []


def test_a_candidate_does_not_agree_with_itself_in_another_layout() -> None:
    assert agreement(seen((ONE, failed("test_a", "3")), ("# new\n" + ONE, failed("test_a", "3"))), ["test_a"]) == []


def by_developers(*measured: tuple[str, dict[str, Any], list[int]]) -> list[Observation]:
    found: list[Observation] = []
    for code, test, developers in measured:
        found = observed(found, code, results(test), developers=developers)
    return found


def test_developers_who_saw_nothing_of_each_other_are_called_so() -> None:
    both = by_developers((ONE, failed("test_a", "3"), [1]), (TWO, failed("test_a", "3"), [3]))
    assert agreement(both, ["test_a"]) == [
        "2 developers who saw nothing of each other agree with each other against test_a: assert f() == 4 → 3 == 4"
    ]


def test_two_who_wrote_the_very_same_agree_as_well() -> None:
    (line,) = agreement(by_developers((ONE, failed("test_a", "3"), [1, 2])), ["test_a"])
    assert line.startswith("2 developers who saw nothing of each other agree")


def test_a_patch_that_agrees_with_them_is_counted_apart() -> None:
    both = by_developers((ONE, failed("test_a", "3"), [1, 2]))
    (line,) = agreement(observed(both, TWO, results(failed("test_a", "3")), 1), ["test_a"])
    assert line.startswith("2 developers who saw nothing of each other, and 1 more candidate, agree")


def test_a_developer_and_a_patch_of_what_it_wrote_are_not_independent() -> None:
    one = by_developers((ONE, failed("test_a", "3"), [2]))
    assert agreement(one, ["test_a"]) == []
    (line,) = agreement(observed(one, TWO, results(failed("test_a", "3")), 1), ["test_a"])
    assert line.startswith("2 different candidates agree")


def test_who_wrote_a_candidate_is_still_known_when_it_is_measured_again_and_when_a_test_is_amended() -> None:
    once = by_developers((ONE, failed("test_a", "3"), [1, 2]))
    again = observed(once, ONE, results(failed("test_b", "3")))
    assert again[0]["developers"] == [1, 2]
    assert forgotten(again, ["test_b"])[0]["developers"] == [1, 2]


def test_the_debugger_is_told_of_developers_alone_and_of_the_first_few() -> None:
    one = by_developers((ONE, failed("test_a", "3"), [2]))
    assert agreed_apart(observed(one, TWO, results(failed("test_a", "3")), 1), ["test_a"]) == []
    cases = [failed(f"test_a[{number}]", "3") for number in range(9)]
    many = observed(observed([], ONE, results(*cases), developers=[1]), TWO, results(*cases), developers=[2])
    told = agreed_apart(observed(many, "x = 1\n", results(*cases), 1), ["test_a"])
    assert len(told) == 5
    assert told[0] == f"2 developers who saw nothing of each other agree with each other against test_a[0]: {SEEN}"


def test_candidates_that_observe_different_things_do_not_agree() -> None:
    assert agreement(seen((ONE, failed("test_a", "3")), (TWO, failed("test_a", "5"))), ["test_a"]) == []


def test_each_case_of_a_test_is_compared_by_itself() -> None:
    both = seen((ONE, failed("test_a[1]", "3")), (TWO, failed("test_a[2]", "3")))
    assert agreement(both, ["test_a"]) == []
    assert failing_tests(results(failed("test_a[1]", "3"), failed("test_a[2]", "3", "error"))) == ["test_a"]


def test_what_was_observed_in_a_test_that_was_amended_is_forgotten() -> None:
    both = seen((ONE, failed("test_a[1]", "3")), (TWO, failed("test_a[1]", "3")))
    assert agreement(forgotten(both, ["test_a"]), ["test_a"]) == []


def test_it_is_bounded() -> None:
    many = seen(*((f"x = {number}\n", failed("test_a", "9" * 5000)) for number in range(30)))
    assert len(many) == MAX_CANDIDATES
    assert all(len(text) <= MAX_TEXT for entry in many for text in entry["failures"].values())
