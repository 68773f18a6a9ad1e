"""What a candidate comes to in the sandbox, and which of two is the better one."""

from sandbox import Job
from src.context import TeamContext
from src.gates.provenance import MARKERS
from src.state import Best, TeamState


def measured(state: TeamState, context: TeamContext, code: str, iteration: int) -> Best:
    """A candidate as a verdict may rest on it: in a container of its own. Raises `SandboxError`."""
    report = context.sandbox.run(job_of(state, context, code))
    return Best(code=code, test_results=report.model_dump(), iteration=iteration)


def job_of(state: TeamState, context: TeamContext, code: str) -> Job:
    """What the sandbox is asked about a candidate."""
    return Job(
        code=code,
        tests=state["tests"],
        module_name=state["module_name"],
        markers=MARKERS,
        limits=context.limits,
        run_id=context.run_id,
    )


def better(old: Best | None, new: Best) -> Best:
    """The candidate to deliver: a green one, else the one with most tests passed; the earlier wins a tie."""
    return new if old is None or rank(new) > rank(old) else old


def is_green(candidate: Best) -> bool:
    """Whether every test passed."""
    return bool(candidate["test_results"]["status"] == "passed")


def rank(candidate: Best) -> tuple[bool, int]:
    """The greater, the better."""
    return is_green(candidate), candidate["test_results"]["counts"]["passed"]
