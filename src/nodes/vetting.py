"""The vetting of a suite: run against fakes before any code is written, then judged by what was measured."""

from collections.abc import Sequence
from typing import TypedDict

from langgraph.runtime import Runtime

from sandbox import Job, TestReport
from src.context import TeamContext
from src.events import SuiteVetted
from src.gated import Judgement, Trial, Update
from src.gates.fakes import Fake, fakes_for
from src.gates.provenance import MARKERS
from src.gates.verdict import Verdict
from src.gates.vetting import FakeRun, VettingFacts, check_vetting
from src.nodes.author import AuthorState, rejection
from src.state import TeamState

SECONDS = 4.0
"""Wall-clock seconds of a run against a fake. Most take a tenth of a second, so that one that hangs on
some fakes or all of them is known for it in half a minute."""


class Measured(TypedDict):
    """A `FakeRun` as plain data."""

    fake: str
    """Name of the fake."""
    status: str
    """What the run came to."""
    reason: str
    """Why it is not green."""
    outcomes: dict[str, str]
    """What became of each test, by its id."""


class VettedState(AuthorState, total=False):
    """State inside the box of an author whose suite is vetted."""

    vetting: list[Measured]
    """What was measured of the latest suite; empty once it was judged."""


def vet(state: VettedState, *, runtime: Runtime[TeamContext]) -> Update:
    """Run the suite against each fake, in one throwaway container; a `SandboxError` ends the run."""
    return {"vetting": _measure(state, runtime.context)}


def vetted(state: TeamState, context: TeamContext) -> Verdict:
    """What vetting makes of a suite that a person wrote. Raises `SandboxError`."""
    return _verdict(state, _measure(state, context))


def _measure(state: TeamState, context: TeamContext) -> list[Measured]:
    fakes = fakes_for(state["tests"], state["module_name"])
    reports = context.sandbox.run_many([_job(fake, state, context, SECONDS) for fake in fakes])
    if reports and all(report.status == "timeout" for report in reports):
        # It hangs, or the machine is busy: against the stub it gets as long as it would have with a module.
        stub = _job(fakes[0], state, context, context.limits.seconds)
        reports = [*context.sandbox.run_many([stub]), *reports[1:]]
    measured = _measured(fakes, reports)
    context.on_event(SuiteVetted(len(fakes), _verdict(state, measured).reasons))
    return measured


def judge_vetting(state: VettedState) -> Judgement:
    """Whether the suite goes out. Nothing of what was measured is needed afterwards."""
    verdict = _verdict(state, state["vetting"])
    if verdict.passed:
        return Judgement(verdict, {"vetting": []})
    refusal = {"rejections": [rejection("architect", state, verdict)], "refused_by": "vetting"}
    return Judgement(verdict, {**refusal, "vetting": []})


def _job(fake: Fake, state: TeamState, context: TeamContext, seconds: float) -> Job:
    limits = context.limits.model_copy(update={"seconds": min(seconds, context.limits.seconds)})
    return Job(
        code=fake.code,
        tests=state["tests"],
        module_name=state["module_name"],
        markers=MARKERS,
        limits=limits,
        run_id=context.run_id,
    )


def _measured(fakes: Sequence[Fake], reports: Sequence[TestReport]) -> list[Measured]:
    return [
        Measured(
            fake=fake.name,
            status=report.status,
            reason=report.reason,
            outcomes={test.id: test.outcome for test in report.tests},
        )
        for fake, report in zip(fakes, reports, strict=True)
    ]


def _verdict(state: TeamState, measured: list[Measured]) -> Verdict:
    return check_vetting(VettingFacts(state["module_name"], tuple(FakeRun(**run) for run in measured)))


VETTING = Trial(vet, judge_vetting)
"""What every suite is put to, the amended ones included."""
