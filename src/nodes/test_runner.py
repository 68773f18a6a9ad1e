"""The test runner: candidate and suite → what the sandbox measured. No model has a say here."""

from langgraph.runtime import Runtime

from sandbox import Job, TestReport
from src.context import TeamContext
from src.failures.flaky import flaky_tests
from src.failures.history import failure_of
from src.gated import Update
from src.gates.evidence import observed, origin
from src.gates.provenance import MARKERS
from src.state import Best, Failure, TeamState, measured_best


def run_tests(state: TeamState, runtime: Runtime[TeamContext]) -> Update:
    """Run the suite in the sandbox; a `SandboxError` (our fault, never the candidate's) ends the run.

    A red suite is run once more in another order, so that tests which end by chance are told apart.

    After the suite was amended, the candidate that was best before is measured again when the present one is red, and
    the team goes on with the better of the two: a wrong test may have made it look the worse one.
    """
    context = runtime.context
    amended = state["status"] == "tests_amended"
    known = origin(state.get("observations", []), state["code"]) if amended else None
    latest = _measured(state, context, state["code"], state.get("iteration", 0) if known is None else known)
    tested = [latest]
    earlier = state.get("best")
    if amended and earlier and earlier["code"] != state["code"] and not _is_green(latest):
        tested.insert(0, _measured(state, context, earlier["code"], earlier["iteration"]))
    chosen = better(tested[0], tested[-1])
    observations = state.get("observations", [])
    for candidate in tested:
        observations = observed(observations, candidate["code"], candidate["test_results"], candidate["iteration"])
    red = sorted((one for one in tested if not _is_green(one)), key=lambda one: one is chosen)  # the latest comes last
    return {
        "code": chosen["code"],
        "test_results": chosen["test_results"],
        "status": "tests_passed" if _is_green(chosen) else "tests_failed",
        "best": better(measured_best(state), chosen),
        "observations": observations,
        "failures": [_failed(state, context, candidate) for candidate in red],
    }


def better(old: Best | None, new: Best) -> Best:
    """The candidate to deliver: a green one, else the one with most tests passed; the earlier wins a tie."""
    return new if old is None or _rank(new) > _rank(old) else old


def _measured(state: TeamState, context: TeamContext, code: str, iteration: int) -> Best:
    report = context.sandbox.run(_job(state, context, code))
    return Best(code=code, test_results=report.model_dump(), iteration=iteration)


def _failed(state: TeamState, context: TeamContext, red: Best) -> Failure:
    report = TestReport.model_validate(red["test_results"])
    return failure_of(state, red, flaky_tests(report, _job(state, context, red["code"]), context.sandbox))


def _job(state: TeamState, context: TeamContext, code: str) -> Job:
    return Job(
        code=code,
        tests=state["tests"],
        module_name=state["module_name"],
        markers=MARKERS,
        limits=context.limits,
        run_id=context.run_id,
    )


def _is_green(candidate: Best) -> bool:
    return bool(candidate["test_results"]["status"] == "passed")


def _rank(candidate: Best) -> tuple[bool, int]:
    return _is_green(candidate), candidate["test_results"]["counts"]["passed"]
