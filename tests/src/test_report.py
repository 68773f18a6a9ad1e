"""The report of a run: the verdict is what was measured, and the exit code follows from it or from the fault."""

import hashlib
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from sandbox import Status, TestCounts, TestOutcome, TestReport
from src.artifacts import contents_of
from src.candidates import candidate_of
from src.cli.words import candidates_line
from src.errors import ExitCode
from src.report import REPORT_VERSION, Problem, RunFacts, RunReport, Tier, build_report
from src.state import ROLES, TeamState


def facts(**changes: Any) -> RunFacts:
    given: dict[str, Any] = {
        "run_id": "answer-1",
        "started_at": datetime(2026, 11, 30, tzinfo=UTC),
        "seconds": 1.23456,
        "tiers": {role: Tier(provider="gemini", model="some-model") for role in ROLES},
        "backend": "docker",
    }
    return RunFacts(**(given | changes))


def measured(status: Status, passed: int = 1, failed: int = 0) -> dict[str, Any]:
    tests = [TestOutcome(id=f"p{number}", outcome="passed") for number in range(passed)]
    tests += [TestOutcome(id=f"f{number}", outcome="failed") for number in range(failed)]
    return TestReport(status=status, counts=TestCounts.of(tests), tests=tests, image="sha256:abc").model_dump()


def a_state(**changes: Any) -> TeamState:
    state: dict[str, Any] = {"user_request": "Answer.", "module_name": "answer", "iteration": 2, "max_iterations": 3}
    return cast(TeamState, state | changes)


def best(results: dict[str, Any]) -> dict[str, Any]:
    return {"code": "x = 1\n", "test_results": results, "iteration": 1}


def test_a_green_measurement_is_verified() -> None:
    report = build_report(a_state(best=best(measured("passed", 3))), facts())
    assert (report.verdict, report.exit_code, report.reason) == ("VERIFIED", 0, "all 3 tests passed")
    assert (report.delivered_iteration, report.sandbox.image, report.seconds) == (1, "sha256:abc", 1.235)


def test_the_report_says_how_far_module_and_judge_were_apart_and_what_the_run_used() -> None:
    results = measured("passed") | {"isolation": "one process", "isolation_reason": "solution.clock was patched"}
    use = build_report(a_state(best=best(results | {"resources": {"cpu_seconds": 0.25}})), facts()).sandbox
    assert (use.backend, use.isolation, use.isolation_reason) == ("docker", "one process", "solution.clock was patched")
    assert use.resources.cpu_seconds == 0.25


def test_results_kept_by_an_earlier_version_can_still_be_read() -> None:
    results = measured("passed")
    for late in ("isolation", "isolation_reason", "resources", "leftovers"):
        del results[late]
    assert build_report(a_state(best=best(results)), facts()).sandbox.isolation == "none"


@pytest.mark.parametrize(
    "status",
    ["failed", "collection_error", "no_tests", "not_all_passed", "incomplete", "crashed", "timeout", "tampered"],
)
def test_every_other_measurement_is_unverified(status: Status) -> None:
    report = build_report(a_state(best=best(measured(status, 1, 1))), facts())
    assert (report.verdict, report.exit_code) == ("UNVERIFIED", 1)
    assert report.reason.startswith(f"{status.replace('_', ' ')}: 1 of 2 tests passed")


def test_the_best_candidate_counts_not_the_latest() -> None:
    state = a_state(best=best(measured("passed")), test_results=measured("failed", 0, 1), code="worse")
    assert build_report(state, facts()).verdict == "VERIFIED"


def test_nothing_measured_is_unverified() -> None:
    report = build_report(a_state(), facts())
    assert (report.verdict, report.exit_code, report.reason) == ("UNVERIFIED", 1, "nothing was tested")


def test_used_up_corrections_are_the_reason() -> None:
    refused = [{"id": "1", "role": "architect", "reasons": ["The suite has no test."]}]
    report = build_report(a_state(status="gave_up", rejections=refused), facts())
    assert report.reason == "the architect used up its corrections: The suite has no test."


def test_a_fault_decides_the_exit_code_and_not_the_verdict() -> None:
    fault = facts(problem=Problem(message="Away.\nSince noon."), exit_code=ExitCode.PROVIDER)
    early = build_report(a_state(), fault)
    assert (early.verdict, early.exit_code, early.reason) == ("UNVERIFIED", 6, "Away.")
    late = build_report(a_state(best=best(measured("passed"))), fault)
    assert (late.verdict, late.exit_code) == ("VERIFIED", 6)


def test_money_is_summed_and_unknown_is_not_zero() -> None:
    call = {"id": "1", "role": "architect", "model": "m", "input_tokens": 7, "output_tokens": 5, "seconds": 1.0}
    rest = {"reasoning_tokens": None, "cached_tokens": None, "cost": None, "standing": "answered"}
    usage = build_report(a_state(), facts(calls=[call | rest])).usage
    assert (usage.total.input_tokens, usage.total.cost, usage.total.cost_unknown) == (7, None, 1)


def test_the_json_form_is_versioned_and_restores_the_report() -> None:
    refused = [{"id": "1", "role": "debugger", "reasons": ["Not Python."]}]
    report = build_report(a_state(best=best(measured("failed", 1, 1)), rejections=refused), facts())
    text = report.model_dump_json()
    assert f'"report_version":{REPORT_VERSION}' in text
    assert RunReport.model_validate_json(text) == report


def a_dispute(**changes: Any) -> dict[str, Any]:
    given = {"id": "dispute-1", "tests": ["test_a"], "reason": "3, not 4", "evidence": [], "decision": "amended"}
    return given | {"answer": "It is 3.", "difference": "-4\n+3"} | changes


def test_a_suite_that_was_changed_after_a_failure_is_told_beside_the_verdict() -> None:
    disputes = [a_dispute(), a_dispute(id="dispute-2", tests=["test_b"], decision="kept", difference="")]
    report = build_report(a_state(best=best(measured("passed", 3)), disputes=disputes), facts())
    assert report.reason == "all 3 tests passed; the suite was changed after a failure (test_a)"
    assert [dispute.decision for dispute in report.disputes] == ["amended", "kept"]
    kept = build_report(a_state(best=best(measured("passed", 3)), disputes=disputes[1:]), facts())
    assert kept.reason == "all 3 tests passed"


def test_what_was_measured_before_the_suite_was_amended_is_not_reported_as_its_measurement() -> None:
    report = build_report(a_state(best=best(measured("failed", 3, 1)), status="tests_amended"), facts())
    assert (report.verdict, report.test_results) == ("UNVERIFIED", None)


def a_line(action: str) -> dict[str, str]:
    return {
        "id": action,
        "when": "",
        "role": "debugger",
        "gate": "candidate",
        "reason": "Not Python.",
        "action": action,
    }


def test_the_audit_trail_and_the_flaky_tests_are_in_the_report() -> None:
    failure = {"id": "0-a", "iteration": 0, "suite": hashlib.sha256(b"").hexdigest(), "candidate": "c"}
    failure |= {"signature": "s", "mended": [], "broke": [], "flaky": ["test_b"]}
    lines = [a_line("asked again, correction 1"), a_line("escalated, to tier 2")]
    report = build_report(a_state(best=best(measured("failed", 1, 1)), audit=lines, failures=[failure]), facts())
    assert [line.telling for line in report.audit] == [False, True]
    assert report.flaky == ["test_b"]


def test_what_was_tried_and_what_flips_is_told_to_who_gets_an_unverified_module() -> None:
    state = a_state(best=best(measured("failed", 1, 1)), audit=[a_line("escalated, to tier 2")])
    report = build_report(state, facts()).model_copy(update={"flaky": ["test_b"]})
    told = contents_of(state, report)["UNVERIFIED.md"]
    assert "flaky: test_b; the same module ended otherwise" in told
    assert "* debugger, candidate: Not Python.: escalated, to tier 2" in told


def test_it_says_what_became_of_each_developer() -> None:
    tested = {"status": "failed", "passed": 4, "collected": 6}
    line = {
        "id": "1",
        "when": "",
        "role": "developer 2",
        "gate": "format",
        "reason": "No code.",
        "action": "dropped out",
    }
    candidates = [{**candidate_of(1, "x"), **tested, "kept": True}, {**candidate_of(3, "x"), **tested, "same_as": 1}]
    report = build_report(a_state(developers=3, candidates=candidates, audit=[line]), facts())
    assert candidates_line(report.candidates) == (
        "developer 1: 4 of 6 (kept), developer 2: gave up, developer 3: as developer 1"
    )
    assert RunReport.model_validate_json(report.model_dump_json()) == report
    assert "\n* developer 3: as developer 1\n" in contents_of(a_state(), report)["UNVERIFIED.md"]


def test_a_candidate_that_was_not_tested_is_delivered_all_the_same() -> None:
    state = a_state(candidates=[candidate_of(2, "second = 2\n"), candidate_of(1, "first = 1\n")])
    assert contents_of(state, build_report(state, facts()))["answer.py"] == "first = 1\n"
