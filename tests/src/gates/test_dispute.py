"""Which claims about tests are heard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.gates.dispute import DisputeFacts, check_dispute

FACTS = DisputeFacts(failing=("test_a", "TestX::test_b", "TestY::test_b", "TestY::test_c"), used=0, most=2)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("test_a", ["test_a"]),
        ("test_a[1-2]", ["test_a"]),
        ("test_solution.py::test_a", ["test_a"]),
        ("tests/test_solution.py::TestY::test_c[x]", ["TestY::test_c"]),
        ("TestX.test_b", ["TestX::test_b"]),
        ("test_c", ["TestY::test_c"]),
        ("test_b", []),
        ("test_other", []),
    ],
)
def test_a_name_stands_for_one_failing_test_or_for_none(name: str, meant: list[str]) -> None:
    assert FACTS.resolved([name]) == meant


def test_a_claim_names_failing_tests_and_a_reason() -> None:
    assert check_dispute(["test_a", "test_c"], "it says 3", FACTS).passed
    (reason,) = check_dispute(["test_passing"], "it says 3", FACTS).reasons
    assert reason.startswith("`test_passing` is not a failing test of the suite")
    assert "`test_a`, `TestX::test_b`" in reason
    assert "names none" in check_dispute([], "it says 3", FACTS).reasons[0]
    assert "says not why" in check_dispute(["test_a"], " - ", FACTS).reasons[0]


@pytest.mark.parametrize(("used", "most", "told"), [(2, 2, "2 of 2 are used"), (0, 0, "the run allows none")])
def test_a_claim_too_many_is_refused(used: int, most: int, told: str) -> None:
    (reason,) = check_dispute(["test_a"], "it says 3", DisputeFacts(("test_a",), used, most)).reasons
    assert told in reason


@given(st.lists(st.text(max_size=20), max_size=5), st.text(max_size=20))
def test_no_claim_makes_it_fail(names: list[str], reason: str) -> None:
    check_dispute(names, reason, FACTS)
    assert set(FACTS.resolved(names)) <= set(FACTS.failing)
