"""The debugger: a candidate and what was measured of it → diagnosis and patched candidate, or a dispute about tests."""

from collections.abc import Mapping
from typing import Any

from src.audit import audit_entry
from src.gated import GatedAuthor, Judgement, Update
from src.gates.dispute import DisputeFacts, check_dispute
from src.gates.evidence import agreement, failing_tests
from src.gates.provenance import provenance_of, strength
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, climber, give_up, judge, writer
from src.nodes.candidate import candidate_facts, judge_candidate
from src.parsing import Claim, parse_debugger
from src.prompts import conversation
from src.reply import Reply
from src.state import Dispute, Message, TeamState


class DebuggerOutput(AuthorOutput, total=False):
    """What the debugger hands to the team."""

    code: str
    """The patched candidate."""
    iteration: int
    """Passes of the debugger, this one included."""
    debug_history: list[str]
    """Diagnoses, this one included."""
    disputes: list[Dispute]
    """Claims that a test is wrong, this one included when it is one."""


def _conversation(state: AuthorState) -> list[Message]:
    results = state["test_results"]
    facts = _dispute_facts(state)
    return conversation(
        "debugger",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=state["tests"],
        provenance=suspects(state["tests"], results),
        debug_history=state.get("debug_history", []),
        disputes_left=max(0, facts.most - facts.used),
        code=state["code"],
        status=results["status"],
        error_summary=results["error_summary"] or results["reason"],
    )


def suspects(tests: str, results: Mapping[str, Any]) -> list[dict[str, str]]:
    """On what each failing test rests, the weakest ground first: a red assumption is the first suspect."""
    red = {test["id"].partition("[")[0] for test in results["tests"] if test["outcome"] in ("failed", "error")}
    found = [label for name, label in provenance_of(tests).items() if name in red]
    return [vars(label) for label in sorted(found, key=lambda label: strength(label.kind))]


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        patch = parse_debugger(reply, facts.wanted, state["code"])
        if patch.claim is not None:
            return _disputed(state, patch.claim)
        verdict, learnt = judge_candidate("debugger", state, patch.code, facts)
        return verdict, {"code": patch.code, "status": "code_patched", **learnt, **_one_more(state, patch.diagnosis)}

    return judge("debugger", state, check)


def _disputed(state: AuthorState, claim: Claim) -> tuple[Verdict, Update]:
    """The claim is checked before anybody is asked about it; code that came along is left out."""
    facts = _dispute_facts(state)
    verdict = check_dispute(claim.tests, claim.reason, facts)
    if not verdict.passed:
        return verdict, {}
    tests = facts.resolved(claim.tests)
    dispute = Dispute(
        id=f"dispute-{facts.used + 1}",
        tests=tests,
        reason=claim.reason,
        evidence=agreement(state.get("observations", []), tests),
        decision="open",
        answer="",
        difference="",
    )
    told = f"disputed {', '.join(tests)}: {claim.reason}"
    entry = audit_entry(
        f"{dispute['id']}-opened", role="debugger", gate="dispute", reasons=[told], action="the architect was asked"
    )
    return verdict, {
        "disputes": [*state.get("disputes", []), dispute],
        "status": "tests_disputed",
        "audit": [entry],
        **_one_more(state, told),
    }


def _dispute_facts(state: TeamState) -> DisputeFacts:
    return DisputeFacts(
        failing=tuple(failing_tests(state["test_results"])),
        used=len(state.get("disputes", [])),
        most=state.get("max_disputes", 0),
    )


def _give_up(state: Any) -> Update:
    return {**give_up("debugger", state), **_one_more(state, f"no usable patch: {state['reasons'][0]}")}


def _one_more(state: AuthorState, diagnosis: str) -> Update:
    iteration = state.get("iteration", 0) + 1
    entry = f"Iteration {iteration}: {' '.join(diagnosis.split())}"
    return {"iteration": iteration, "debug_history": [*state.get("debug_history", []), entry]}


DEBUGGER = GatedAuthor(
    "debugger",
    AuthorState,
    DebuggerOutput,
    writer("debugger", _conversation),
    _judge,
    _give_up,
    escalate=climber("debugger"),
)
