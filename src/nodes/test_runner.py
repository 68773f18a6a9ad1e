"""The test runner: candidate and suite → what the sandbox measured. No model has a say here."""

from langgraph.runtime import Runtime

from sandbox import Job, TestReport
from src.context import TeamContext
from src.gated import Update
from src.state import Best, TeamState


def run_tests(state: TeamState, runtime: Runtime[TeamContext]) -> Update:
    """Run the suite in the sandbox; a `SandboxError` (our fault, never the candidate's) ends the run."""
    context = runtime.context
    job = Job(
        code=state["code"],
        tests=state["tests"],
        module_name=state["module_name"],
        limits=context.limits,
        run_id=context.run_id,
    )
    report = context.sandbox.run(job)
    return {
        "test_results": report.model_dump(),
        "status": "tests_passed" if report.passed else "tests_failed",
        "best": better(state.get("best"), _measured(state, report)),
    }


def better(old: Best | None, new: Best) -> Best:
    """The candidate to deliver: a green one, else the one with most tests passed; the earlier wins a tie."""
    return new if old is None or _rank(new) > _rank(old) else old


def _measured(state: TeamState, report: TestReport) -> Best:
    return Best(code=state["code"], test_results=report.model_dump(), iteration=state.get("iteration", 0))


def _rank(candidate: Best) -> tuple[bool, int]:
    results = candidate["test_results"]
    return results["status"] == "passed", results["counts"]["passed"]
