"""The report of a run: what it claims, what that rests on, what it cost. Its JSON form is stable and versioned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sandbox import Isolation, Resources, TestReport
from src.approvals import Approval
from src.errors import ExitCode
from src.failures.history import STUCK, current_failures, strategy
from src.gates.suspicions import MARK
from src.reported import AuditLine, OpenPoint, Refusal, TestDispute, WrittenCandidate, written
from src.state import Call, Role, TeamState, measured_best
from src.usage import Totals, totals

Verdict = Literal["VERIFIED", "UNVERIFIED"]
REPORT_VERSION = 2


class Tier(BaseModel):
    """The model that served a role."""

    model_config = ConfigDict(extra="forbid")

    provider: str
    """Who serves it: gemini, openai, openrouter, compatible, or replay."""
    model: str
    """Model name as given to the provider."""
    thinking_level: str | None = None
    """Thinking level asked for; `None`: the provider's default."""
    ladder: list[str] = Field(default_factory=list)
    """Models that are escalated to, in order."""
    fallback: str | None = None
    """The model that is asked when a provider fails for good."""


class ReplaySource(BaseModel):
    """Where replies came from when no model was called."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["scripted", "recorded"]
    """`scripted`: written by hand. `recorded`: taken from a real model."""
    title: str
    """What the transcript calls itself."""


class Problem(BaseModel):
    """What ended a run before its verdict."""

    model_config = ConfigDict(extra="forbid")

    message: str
    """What happened."""
    remedy: str = ""
    """What a person can do about it."""


class SandboxUse(BaseModel):
    """Where the verdict was measured."""

    model_config = ConfigDict(extra="forbid")

    backend: str
    """Name of the backend; `subprocess` isolates nothing."""
    image: str = ""
    """Digest of the image."""
    isolation: Isolation = "none"
    """What stood between the module and what judged it."""
    isolation_reason: str = ""
    """Why a green verdict could not be confirmed with the module in a process of its own, where that was tried."""
    resources: Resources = Field(default_factory=Resources)
    """What the run that gave the verdict used of the machine."""


class RunReport(BaseModel):
    """Everything that is known of a run when it ends, early or not."""

    model_config = ConfigDict(extra="forbid")

    report_version: int = REPORT_VERSION
    """Version of this layout."""
    run_id: str
    """Name of the run."""
    verdict: Verdict
    """VERIFIED: every test of the complete suite ran and passed in the sandbox."""
    reason: str
    """Why the verdict is what it is, in one line."""
    exit_code: int
    """What the command ends with."""
    forked_from: str = ""
    """The run, and the step of it, that this one was forked from (`a-run@4`); empty for most."""
    user_request: str
    """What was asked for."""
    module_name: str
    """Import name of the module."""
    started_at: datetime
    """When the run was started (UTC)."""
    seconds: float
    """Wall-clock seconds of this command."""
    iterations: int
    """Passes of the debugger."""
    max_iterations: int
    """Passes of the debugger at most."""
    delivered_iteration: int | None = None
    """Which pass the delivered candidate came from (0: the developer's); `None`: there is no candidate."""
    test_results: TestReport | None = None
    """What was measured of the delivered candidate; `None`: nothing was."""
    candidates: list[WrittenCandidate] = Field(default_factory=list)
    """What each of several developers came to; empty when there was one."""
    debug_history: list[str] = Field(default_factory=list)
    """One diagnosis for each pass of the debugger."""
    assumptions: list[OpenPoint] = Field(default_factory=list)
    """What the request leaves open; those that stand are what the verdict rests on besides the request."""
    no_second_reading: str = ""
    """Why the request was not read a second time; empty when it was, or when there was nothing to read it for."""
    rejections: list[Refusal] = Field(default_factory=list)
    """Every refusal by a gate."""
    audit: list[AuditLine] = Field(default_factory=list)
    """The audit trail: every refusal, correction, escalation, dispute and decision, in order."""
    flaky: list[str] = Field(default_factory=list)
    """Tests of the suite that ended otherwise when the same candidate was tested again in another order."""
    disputes: list[TestDispute] = Field(default_factory=list)
    """Claims that a test is wrong, in order."""
    review_summary: str = ""
    """The reviewer's words; never part of the verdict."""
    tiers: dict[Role, Tier]
    """Who served each role."""
    replayed: ReplaySource | None = None
    """Set when replies came from a transcript and no model was called."""
    usage: Totals
    """Tokens and dollars by role."""
    sandbox: SandboxUse
    """Where the verdict was measured."""
    files: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of each delivered file by name."""
    problem: Problem | None = None
    """What ended the run early, if something did."""
    waits_for: Approval | None = None
    """What a person is asked before the run goes on."""


@dataclass(frozen=True)
class RunFacts:
    """What the state of a run does not hold."""

    run_id: str
    """Name of the run."""
    started_at: datetime
    """When the run was started (UTC)."""
    seconds: float
    """Wall-clock seconds of this command."""
    tiers: dict[Role, Tier]
    """Who served each role."""
    backend: str
    """Sandbox backend that was asked for."""
    replayed: ReplaySource | None = None
    """Set when replies came from a transcript."""
    problem: Problem | None = None
    """What ended the run early."""
    calls: Sequence[Call] = ()
    """Every request to a model."""
    origin: str = ""
    """The run and the step that this one was forked from."""
    exit_code: ExitCode | None = None
    """Exit code of `problem`; `None`: the verdict decides."""
    waits_for: Approval | None = None
    """What a person is asked before the run goes on."""


def build_report(state: TeamState, facts: RunFacts) -> RunReport:
    """Draw up the report of a run from its last state, finished or not."""
    best = measured_best(state)
    measured = TestReport.model_validate(best["test_results"]) if best else None
    verified = measured is not None and measured.passed
    return RunReport(
        run_id=facts.run_id,
        forked_from=facts.origin,
        verdict="VERIFIED" if verified else "UNVERIFIED",
        reason=_reason(state, measured, facts) + _changed_tests(state),
        exit_code=_exit_code(verified, facts),
        user_request=state.get("user_request", ""),
        module_name=state.get("module_name", ""),
        started_at=facts.started_at,
        seconds=round(facts.seconds, 3),
        iterations=state.get("iteration", 0),
        max_iterations=state.get("max_iterations", 0),
        delivered_iteration=best["iteration"] if best else None,
        test_results=measured,
        candidates=written(state),
        debug_history=state.get("debug_history", []),
        assumptions=[OpenPoint(**entry) for entry in state.get("assumptions", [])],
        no_second_reading=_no_second_reading(state),
        rejections=[Refusal(**entry) for entry in state.get("rejections", [])],
        audit=[AuditLine(**entry) for entry in state.get("audit", [])],
        flaky=list(dict.fromkeys(test for failure in current_failures(state) for test in failure["flaky"])),
        disputes=[TestDispute(**entry) for entry in state.get("disputes", [])],
        review_summary=state.get("review_summary", ""),
        tiers=facts.tiers,
        replayed=facts.replayed,
        usage=totals(facts.calls),
        sandbox=_sandbox_use(facts.backend, measured),
        problem=facts.problem,
        waits_for=facts.waits_for,
    )


def _no_second_reading(state: TeamState) -> str:
    if "reading" in state:
        return state["reading"]["missing"]
    return "it was switched off" if state.get("second_reading") is False else ""


def _sandbox_use(backend: str, measured: TestReport | None) -> SandboxUse:
    if measured is None:
        return SandboxUse(backend=backend)
    return SandboxUse(
        backend=backend,
        image=measured.image,
        isolation=measured.isolation,
        isolation_reason=measured.isolation_reason,
        resources=measured.resources,
    )


def _given_up(role: Role, reason: str) -> str:
    if reason.startswith(MARK):
        return f"the {role} wrote again what it had been asked about: {reason}"
    return f"the {role} used up its corrections: {reason}"


def _exit_code(verified: bool, facts: RunFacts) -> ExitCode:
    """A fault that ended the run early decides; otherwise the verdict does."""
    if facts.exit_code is not None:
        return facts.exit_code
    return ExitCode.VERIFIED if verified else ExitCode.UNVERIFIED


def _changed_tests(state: TeamState) -> str:
    """Says plainly that the suite is not the one that was written before the code."""
    amended = [test for entry in state.get("disputes", []) if entry["decision"] == "amended" for test in entry["tests"]]
    names = ", ".join(dict.fromkeys(amended))
    edited = any(entry["id"].startswith("edit-tests-") for entry in state.get("audit", []))
    told = f"; the suite was changed after a failure ({names})" if names else ""
    return told + ("; the suite was edited by a person" if edited else "")


PAUSED = "paused: waits for a decision"
"""The reason of a run that asks a person."""


def _reason(state: TeamState, measured: TestReport | None, facts: RunFacts) -> str:
    if measured is not None and measured.passed:
        return f"all {measured.counts.passed} tests passed"
    if facts.waits_for is not None and facts.exit_code == ExitCode.PAUSED:
        return f"{PAUSED}. {facts.waits_for.question}"
    if facts.problem is not None:
        return facts.problem.message.splitlines()[0]
    if state.get("status") == "aborted":
        return "aborted by a person"
    if state.get("status") == "nothing_binds":
        return "no test is left that binds the code: every one rests on an assumption that is contested or dropped"
    rejections = state.get("rejections", [])
    if state.get("status") == "gave_up" or measured is None:
        last = rejections[-1] if rejections else None
        return _given_up(last["role"], last["reasons"][0]) if last else "nothing was tested"
    told = f"{measured.status.replace('_', ' ')}: {measured.counts.passed} of {measured.counts.collected} tests passed"
    return f"{told} in the best candidate after {state.get('iteration', 0)} iterations{_why_no_further(state)}"


def _why_no_further(state: TeamState) -> str:
    """Why iterations that were left were not used."""
    if strategy(state) == "stop":
        return f"; {STUCK}"
    latest = next(iter(state.get("audit", [])[-1:]), None)
    last = next(iter(state.get("rejections", [])[-1:]), None)
    if latest is None or last is None or latest["action"] != "gave up":
        return ""
    return f"; {_given_up(last['role'], last['reasons'][0])}"
