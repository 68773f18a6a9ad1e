"""The test runner: candidate and suite → what the sandbox measured. No model has a say here."""

from langgraph.runtime import Runtime

from sandbox import TestReport
from src.candidates import untested
from src.context import TeamContext
from src.failures.flaky import flaky_tests
from src.failures.history import failure_of
from src.gated import Update
from src.gates.evidence import observed, origin
from src.nodes.measuring import better, is_green, job_of, measured
from src.nodes.selection import select
from src.state import Best, Failure, TeamState, measured_best


def run_tests(state: TeamState, runtime: Runtime[TeamContext]) -> Update:
    """Run the suite in the sandbox; a `SandboxError` (our fault, never the candidate's) ends the run.

    Where several developers have written, all of their candidates are tested and the team goes on with the best.

    A red suite is run once more in another order, so that tests which end by chance are told apart.

    After the suite was amended, the candidate that was best before is measured again when the present one is red, and
    the team goes on with the better of the two: a wrong test may have made it look the worse one.
    """
    context = runtime.context
    if state["status"] == "aborted":  # at the module of one developer, when those of others had been approved
        return {}
    if candidates := untested(state.get("candidates", [])):
        best, told, observations = select(state, context, candidates)
        return {
            **_outcome(best),
            "best": best,
            "candidates": told,
            "observations": observations,
            "failures": [] if is_green(best) else [_failed(state, context, best)],
        }
    amended = state["status"] == "tests_amended"
    known = origin(state.get("observations", []), state["code"]) if amended else None
    latest = measured(state, context, state["code"], state.get("iteration", 0) if known is None else known)
    tested = [latest]
    earlier = state.get("best")
    if amended and earlier and earlier["code"] != state["code"] and not is_green(latest):
        tested.insert(0, measured(state, context, earlier["code"], earlier["iteration"]))
    chosen = better(tested[0], tested[-1])
    observations = state.get("observations", [])
    for candidate in tested:
        observations = observed(observations, candidate["code"], candidate["test_results"], candidate["iteration"])
    red = sorted((one for one in tested if not is_green(one)), key=lambda one: one is chosen)  # the latest comes last
    return {
        **_outcome(chosen),
        "best": better(measured_best(state), chosen),
        "observations": observations,
        "failures": [_failed(state, context, candidate) for candidate in red],
    }


def _outcome(chosen: Best) -> Update:
    return {
        "code": chosen["code"],
        "test_results": chosen["test_results"],
        "status": "tests_passed" if is_green(chosen) else "tests_failed",
    }


def _failed(state: TeamState, context: TeamContext, red: Best) -> Failure:
    report = TestReport.model_validate(red["test_results"])
    return failure_of(state, red, flaky_tests(report, job_of(state, context, red["code"]), context.sandbox))
