"""A dispute: the claim that tests are wrong → the architect's decision, made without a look at the candidate."""

from difflib import unified_diff
from typing import Any, Literal

from src.audit import audit_entry
from src.gated import GatedAuthor, Judgement, Update
from src.gates.amendment import AmendmentFacts, amend, excerpt_of
from src.gates.evidence import forgotten
from src.gates.verdict import Verdict
from src.nodes.architect import check_tests
from src.nodes.author import AuthorOutput, AuthorState, climber, judge, writer
from src.parsing import DisputeReply, parse_dispute
from src.prompts import conversation
from src.reply import Reply
from src.state import Dispute, Message, Observation

_TELLING = 12
"""A line of the candidate so long is recognised in the debugger's reason, and taken out of it."""

_ACTIONS = {"kept": "test kept", "amended": "test amended", "refused": "test kept: the amendment was refused"}
_TOLD = {
    "kept": "the architect kept them",
    "amended": "the architect amended them",
    "refused": "they were kept, since no amendment passed the gate",
}


class DisputeOutput(AuthorOutput, total=False):
    """What the decision hands to the team."""

    tests: str
    """The amended suite."""
    disputes: list[Dispute]
    """The disputes, the latest one decided."""
    debug_history: list[str]
    """Diagnoses, the latest one with the architect's answer."""
    observations: list[Observation]
    """How candidates failed, less what was observed in tests that are others now."""


def _conversation(state: AuthorState) -> list[Message]:
    dispute = state["disputes"][-1]
    return conversation(
        "dispute",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=excerpt_of(state["tests"], dispute["tests"]),
        names=dispute["tests"],
        reason=without_candidate(dispute["reason"], state["code"]),
    )


def without_candidate(reason: str, code: str) -> str:
    """The debugger's words without lines of the candidate: whoever amends a suite must not lean on the code."""
    lines = sorted({line.strip() for line in code.splitlines() if len(line.strip()) >= _TELLING}, key=len, reverse=True)
    for line in lines:
        reason = reason.replace(line, "…")
    return reason


def _judge(state: AuthorState) -> Judgement:
    def check(reply: Reply) -> tuple[Verdict, Update]:
        answer = parse_dispute(reply, state["module_name"])
        if answer.decision == "keep":
            return Verdict(), {"status": "tests_kept", **_decided(state, "kept", answer.reason)}
        return _amended(state, answer)

    return judge("architect", state, check)


def _amended(state: AuthorState, answer: DisputeReply) -> tuple[Verdict, Update]:
    disputed = state["disputes"][-1]["tests"]
    facts = AmendmentFacts(state["tests"], tuple(disputed), state["specs"], state["module_name"])
    amendment = amend(answer.tests, answer.contradiction, facts)
    if not amendment.tests:
        return amendment.verdict, {}
    reasons = (*amendment.verdict.reasons, *check_tests(amendment.tests, state).reasons)
    difference = _difference(state["tests"], amendment.tests, f"test_{state['module_name']}.py")
    return Verdict(reasons), {
        "tests": amendment.tests,
        "status": "tests_amended",
        "observations": forgotten(state.get("observations", []), disputed),
        **_decided(state, "amended", answer.reason, difference),
    }


def _difference(before: str, after: str, name: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), name, f"{name}, amended", n=3, lineterm="")
    return "\n".join(lines)


def _give_up(state: Any) -> Update:
    """An amendment that the gate refuses to the last leaves the suite as it was."""
    return {"status": "tests_kept", **_decided(state, "refused", "; ".join(state["reasons"]))}


def _decided(
    state: AuthorState, decision: Literal["kept", "amended", "refused"], answer: str, difference: str = ""
) -> Update:
    *earlier, dispute = state["disputes"]
    *history, latest = state["debug_history"]
    entry = audit_entry(
        f"{dispute['id']}-{decision}", role="architect", gate="dispute", reasons=[answer], action=_ACTIONS[decision]
    )
    return {
        "disputes": [*earlier, Dispute({**dispute, "decision": decision, "answer": answer, "difference": difference})],
        "debug_history": [*history, f"{latest} → {_TOLD[decision]}: {' '.join(answer.split())}"],
        "audit": [entry],
    }


DISPUTE = GatedAuthor(
    "dispute",
    AuthorState,
    DisputeOutput,
    writer("architect", _conversation),
    _judge,
    _give_up,
    escalate=climber("architect"),
)
