"""What runs against fakes tell of a suite: plain facts in, reasons out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.vetting import FakeRun, VettingFacts, check_vetting

NAMES = ["stub", "None", "0", '""', "[]", "True"]


def run(fake: str, *, status: str = "failed", reason: str = "", **outcomes: str) -> FakeRun:
    return FakeRun(fake, status, reason, outcomes)


def reasons(*runs: FakeRun) -> tuple[str, ...]:
    return check_vetting(VettingFacts("solution", runs)).reasons


def everywhere(status: str, reason: str = "") -> list[FakeRun]:
    return [run(name, status=status, reason=reason) for name in NAMES]


def test_a_suite_whose_tests_all_fail_somewhere_goes_on() -> None:
    stub = run("stub", test_a="failed", test_b="error")
    others = [run(name, test_a="passed", test_b="failed") for name in NAMES[1:]]
    assert reasons(stub, *others) == ()


def test_a_test_that_passes_on_every_fake_is_named_with_what_to_write() -> None:
    (reason,) = reasons(*(run(name, test_a="failed", test_b="passed") for name in NAMES))
    assert reason.startswith("`test_b` passes against all 6 fakes")
    assert "assert what the request says" in reason


def test_cases_of_a_parametrised_test_are_judged_one_by_one_and_told_by_their_function() -> None:
    outcomes = {"test_a[1]": "failed", "test_a[2]": "passed", "T::test_b[x::y]": "passed", "T::test_b[z]": "passed"}
    first, second = reasons(*(run(name, **outcomes) for name in NAMES))
    assert first.startswith("`test_a` (cases [2]) passes")
    assert second.startswith("`T::test_b` (cases [x::y], [z]) passes")


def test_of_many_cases_a_few_are_named_and_the_rest_counted() -> None:
    (reason,) = reasons(run("stub", test_b="failed", **{f"test_a[{n}]": "passed" for n in range(1000)}))
    assert "[4] and 995 more)" in reason
    assert len(reason) < 600


@pytest.mark.parametrize("outcome", ["skipped", "xfailed", "xpassed"])
def test_a_test_that_never_fails_is_not_saved_by_not_passing(outcome: str) -> None:
    assert "`test_b`" in reasons(*(run(name, test_a="failed", test_b=outcome) for name in NAMES))[0]


def test_a_test_that_is_always_skipped_is_told_so() -> None:
    (reason,) = reasons(*(run(name, test_a="failed", test_b="skipped") for name in NAMES))
    assert reason.startswith("`test_b` is skipped whatever the module does")


@pytest.mark.parametrize(("fake", "told"), [("stub", "raises NotImplementedError"), ("[]", "every call returns `[]`")])
@pytest.mark.parametrize("status", ["passed", "not_all_passed"])
def test_a_suite_that_one_fake_turns_green_is_refused(fake: str, told: str, status: str) -> None:
    runs = [run(name, test_a="failed") for name in NAMES if name != fake]
    (reason,) = reasons(*runs, run(fake, status=status, test_a="passed"))
    assert reason.startswith("The whole suite passes against")
    assert told in reason


def test_calling_the_module_while_the_suite_is_imported_is_refused_with_the_place() -> None:
    fault = "the suite could not be collected: NotImplementedError: `f` was called, and is not written yet"
    (reason,) = reasons(run("stub", status="collection_error", reason=fault), *everywhere("failed")[1:])
    assert "The suite calls `solution` while it is imported" in reason
    assert fault in reason


def test_any_other_reason_why_it_cannot_be_collected_is_told_as_it_is() -> None:
    fault = "the suite could not be collected: ModuleNotFoundError: No module named 'numpy'"
    (reason,) = reasons(*everywhere("collection_error", fault))
    assert fault in reason
    assert "while it is imported" not in reason


def test_a_suite_without_tests_is_told_so() -> None:
    (reason,) = reasons(*everywhere("no_tests"))
    assert "collects no test" in reason


def test_a_suite_that_only_some_fakes_cannot_be_collected_with_goes_on() -> None:
    assert reasons(run("stub", test_a="failed"), *everywhere("collection_error")[1:]) == ()


@pytest.mark.parametrize("status", ["timeout", "out_of_memory", "crashed", "tampered", "incomplete", "output_flood"])
def test_a_run_that_broke_counts_against_no_test_but_those_that_passed(status: str) -> None:
    broken = run("0", status=status, test_a="passed", test_b="not_run")
    others = [run(name, test_a="passed", test_b="passed", test_c="failed") for name in NAMES if name != "0"]
    (reason,) = reasons(*others, broken)
    assert "`test_a`" in reason


def test_a_suite_that_hangs_on_every_fake_has_a_reason_of_its_own() -> None:
    (reason,) = reasons(*everywhere("timeout", "stopped after 4 s while test_a was running"))
    assert "does not end, whatever the module answers (stopped after 4 s while test_a was running)" in reason
    assert "bound every loop" in reason


def test_a_suite_that_breaks_on_every_fake_broke_by_itself() -> None:
    mixed = [run("stub", status="timeout", reason="stopped"), *everywhere("tampered", "pytest was tampered with")[1:]]
    assert "does not come to its end, whatever the module answers (timeout: stopped)" in reasons(*mixed)[0]


OUTCOMES = st.sampled_from(["passed", "failed", "error", "skipped", "not_run", "?"])
STATUSES = st.sampled_from(["passed", "failed", "collection_error", "no_tests", "timeout", "tampered", "?"])
RUNS = st.builds(
    FakeRun, st.sampled_from(NAMES), STATUSES, st.text(), st.dictionaries(st.text(max_size=5), OUTCOMES, max_size=4)
)


@settings(max_examples=100, deadline=None)
@given(st.lists(RUNS, max_size=7))
def test_no_facts_make_it_raise(runs: list[FakeRun]) -> None:
    assert all(reason.strip() for reason in reasons(*runs))
