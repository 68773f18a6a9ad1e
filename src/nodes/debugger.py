"""The debugger: a candidate and what was measured of it → diagnosis and patched candidate, or a dispute about tests."""

import re
from typing import Any

from langgraph.runtime import Runtime

from sandbox import TestReport
from src.approvals import Approval
from src.audit import audit_entry
from src.context import TeamContext
from src.failures.distill import DEFAULT_FAILURE_CHARS, distilled
from src.failures.history import current_failures, start_of, strategy
from src.failures.telling import named
from src.gated import NOTES, GatedAuthor, Judgement, Update
from src.gates.dispute import DisputeFacts, check_dispute
from src.gates.evidence import agreed_apart, agreement, failing_tests
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, climber, draft_of, give_up, judge, next_rung, writer
from src.nodes.candidate import candidate_facts, edited_code, judge_candidate
from src.nodes.oversight import overseen
from src.parsing import Claim, DebuggerReply, FormatError, parse_debugger
from src.prompts import conversation
from src.reply import Reply
from src.state import Dispute, Message, TeamState
from src.text import difference, one_line


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


BLOCKS_FROM = 300
"""Lines of a module from which on changes alone may be sent: there a whole module costs more than the risk that a
block does not fit."""
_DIAGNOSIS = 160
"""Characters of an earlier diagnosis that are told, and of the answer to a dispute."""
_ANCHORS = 8
"""Tests that are named at most of those that a patch broke, and of those that it mended."""
_ANSWERED = re.compile(r" → (?=the architect |they were kept)")
"""Stands between a claim and its answer."""


def messages_to(state: AuthorState) -> list[Message]:
    """What the debugger is sent about the latest failure."""
    return _rewrite(state) if strategy(state) == "rewrite" else _patch(state)


_ask = writer("debugger", messages_to)


def _write(state: AuthorState, *, runtime: Runtime[TeamContext]) -> Update:
    """Ask for a patch; a rewrite is asked of the next tier where there is one."""
    changed = _other_way(state, runtime.context)
    written = _ask({**state, **changed}, runtime=runtime)
    return {**changed, **written, "audit": [*changed.get("audit", []), *written["audit"]]}


def _other_way(state: AuthorState, context: TeamContext) -> Update:
    """What follows, once for each failure, from its having come twice: a rewrite, by somebody stronger if possible."""
    place = f"rewrite-{current_failures(state)[-1]['id']}" if strategy(state) == "rewrite" else ""
    if not place or any(line["id"] == place for line in state.get("audit", [])):
        return {}
    rung = next_rung("debugger", state, context)
    action = "asked for a rewrite" if rung is None else f"escalated, to tier {rung + 1}, and asked for a rewrite"
    line = audit_entry(
        place, role="debugger", gate="repetition", reasons=["the same failure came twice"], action=action
    )
    climbed = {} if rung is None else {"rungs": {**state.get("rungs", {}), "debugger": rung}}
    return {**climbed, "audit": [line]}


def _patch(state: AuthorState) -> list[Message]:
    start = start_of(state)
    last = start.last
    return conversation(
        "debugger",
        module_name=state["module_name"],
        **_asked_for(state),
        code=start.code,
        iteration=start.iteration,
        blocks=start.code.count("\n") >= BLOCKS_FROM,
        dropped=last["iteration"] if last and start.dropped else None,
        mended=named(last["mended"], _ANCHORS) if last else "",
        broke=named(last["broke"], _ANCHORS) if last else "",
        flaky=", ".join(last["flaky"]) if last and not start.dropped else "",
        status=start.report.status,
        passed=start.report.counts.passed,
        collected=start.report.counts.collected,
        failure=_told(start.report, state),
        agreed=_agreed(start.report, state),
    )


def _rewrite(state: AuthorState) -> list[Message]:
    report = _shown(state)
    return conversation(
        "rewrite",
        module_name=state["module_name"],
        **_asked_for(state),
        tests=state["tests"],
        status=report.status,
        failure=_told(report, state, state["tests"]),
        agreed=_agreed(report, state),
    )


def _asked_for(state: AuthorState) -> dict[str, Any]:
    """What a patch and a rewrite start with."""
    return {
        "user_request": state["user_request"],
        "specs": _beyond(state["user_request"], state["specs"]),
        "debug_history": [_in_short(entry) for entry in state.get("debug_history", [])],
        "disputes_left": _disputes_left(state),
    }


def _in_short(entry: str) -> str:
    """An earlier diagnosis in a line; of a dispute both the claim and what the architect answered."""
    return " → ".join(one_line(part, _DIAGNOSIS) for part in _ANSWERED.split(entry, maxsplit=1))


def _beyond(request: str, specs: str) -> str:
    """The specification without the paragraphs that stand word for word in the request, which is told before it."""
    parts = specs.strip().split("\n\n")
    return "\n\n".join(part for part in parts if part.strip() not in request).strip()


def _shown(state: TeamState) -> TestReport:
    """The report that the debugger is told of."""
    if strategy(state) == "rewrite":
        return TestReport.model_validate(state["test_results"])
    return start_of(state).report


def _disputes_left(state: TeamState) -> int:
    facts = _dispute_facts(state)
    return max(0, facts.most - facts.used)


def _told(report: TestReport, state: AuthorState, known: str = "") -> str:
    known = "\n".join((state["user_request"], state["specs"], known))
    return distilled(report, state["tests"], state.get("max_failure_chars", DEFAULT_FAILURE_CHARS), known)


def _agreed(report: TestReport, state: AuthorState) -> list[str]:
    return agreed_apart(state.get("observations", []), failing_tests(report.model_dump()))


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        patch = _edited(state) or parse_debugger(reply, facts.wanted, _patched_from(state))
        if patch.claim is not None:
            return _disputed(state, patch.claim)
        verdict, learnt = judge_candidate("debugger", state, patch.code, facts)
        return verdict, {"code": patch.code, "status": "code_patched", **learnt, **_one_more(state, patch.diagnosis)}

    return judge("debugger", state, check)


def _patched_from(state: AuthorState) -> str:
    """The module that a difference is applied to; none when it is written anew."""
    return "" if strategy(state) == "rewrite" else start_of(state).code


def _edited(state: AuthorState) -> DebuggerReply | None:
    """What a person wrote in the debugger's place."""
    code = edited_code(state)
    return DebuggerReply(f"A person's patch. {state['edited'][NOTES]}".strip(), code) if code else None


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
    told = f"{', '.join(tests)} disputed: {claim.reason.lstrip('-*# ')}"
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
        failing=tuple(failing_tests(_shown(state).model_dump())),
        used=len(state.get("disputes", [])),
        most=state.get("max_disputes", 0),
    )


def _give_up(state: Any) -> Update:
    return {**give_up("debugger", state), **_one_more(state, f"no usable patch: {state['reasons'][0]}")}


def _one_more(state: AuthorState, diagnosis: str) -> Update:
    iteration = state.get("iteration", 0) + 1
    entry = f"Iteration {iteration}: {' '.join(diagnosis.split())}"
    return {"iteration": iteration, "debug_history": [*state.get("debug_history", []), entry]}


def _question(state: Any) -> Approval:
    name = f"{state['module_name']}.py"
    before: Any = {**state, "code": state["tested"]}
    return Approval(
        matter="patch",
        question="Shall this patch be tested?",
        background=state["debug_history"][-1],
        texts={"code": state["code"]},
        difference=difference(start_of(before).code, state["code"], name, f"{name}, patched"),
    )


def _refused_texts(state: Any) -> dict[str, str]:
    try:
        patch = parse_debugger(draft_of(state), candidate_facts(state).wanted, _patched_from(state))
    except FormatError:
        return {"code": draft_of(state).text}
    return {"code": patch.code or state["code"]}


OVERSIGHT = overseen(
    "debugger",
    "patch",
    question=_question,
    refused_texts=_refused_texts,
    applies=lambda state: state["status"] == "code_patched",
)

DEBUGGER = GatedAuthor(
    "debugger",
    AuthorState,
    DebuggerOutput,
    _write,
    _judge,
    _give_up,
    escalate=climber("debugger"),
    oversight=OVERSIGHT,
)
