"""A dispute: the claim that tests are wrong → the architect's decision, made without a look at the candidate."""

from typing import Any, Literal, TypedDict

from langgraph.runtime import Runtime

from src.approvals import Approval
from src.audit import audit_entry
from src.context import TeamContext
from src.gated import NOTES, GatedAuthor, Judgement, Trial, Update
from src.gates.amendment import AmendmentFacts, amend, excerpt_of
from src.gates.evidence import forgotten
from src.gates.verdict import Verdict
from src.nodes.architect import check_tests
from src.nodes.author import AuthorOutput, climber, judge, writer
from src.nodes.oversight import overseen
from src.nodes.vetting import VETTING, VettedState
from src.parsing import DisputeReply, parse_dispute
from src.prompts import conversation
from src.reply import Reply
from src.state import Dispute, Message, Observation
from src.text import difference

_TELLING = 12
"""A line of the candidate so long is recognised in the debugger's reason, and taken out of it."""

_ACTIONS = {"kept": "test kept", "amended": "test amended", "refused": "test kept: the amendment was refused"}
_TOLD = {
    "kept": "the architect kept them",
    "amended": "the architect amended them",
    "refused": "they were kept, since no amendment passed the gate",
}


class Decision(TypedDict):
    """What the architect decided, before the suite was vetted again."""

    decision: Literal["kept", "amended", "refused"]
    """As in `src.state.Dispute`."""
    answer: str
    """Its reason, or the gate's."""
    difference: str
    """The change of the suite; empty when it was kept."""


class DisputeState(VettedState, total=False):
    """State inside the box."""

    disputed_suite: str
    """The suite as it was disputed: `tests` is the amended one while that is vetted."""
    answered: Decision
    """The latest decision."""


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


def _conversation(state: Any) -> list[Message]:
    dispute = state["disputes"][-1]
    return conversation(
        "dispute",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=excerpt_of(_disputed_suite(state), dispute["tests"]),
        names=dispute["tests"],
        reason=without_candidates(dispute["reason"], state["code"], state["best"]["code"]),
    )


def without_candidates(reason: str, *sources: str) -> str:
    """The debugger's words without lines of what it was shown: whoever amends a suite must not lean on the code."""
    lines = {line.strip() for source in sources for line in source.splitlines()}
    for line in sorted((line for line in lines if len(line) >= _TELLING), key=len, reverse=True):
        reason = reason.replace(line, "…")
    return reason


def _edited(state: DisputeState) -> DisputeReply | None:
    """What a person decided in the architect's place; the notes may quote what a weaker test rests on."""
    edited = state.get("edited")
    if not edited:
        return None
    notes = edited[NOTES]
    return DisputeReply("amend", notes or "A person amended the tests.", edited["tests"], notes)


def _disputed_suite(state: DisputeState) -> str:
    return state.get("disputed_suite") or state["tests"]


def _judge(state: DisputeState) -> Judgement:
    def check(reply: Reply) -> tuple[Verdict, Update]:
        answer = _edited(state) or parse_dispute(reply, state["module_name"])
        if answer.decision == "amend":
            return _amended(state, answer)
        kept = Decision(decision="kept", answer=answer.reason, difference="")
        return Verdict(), {"tests": _disputed_suite(state), "answered": kept}

    return judge("architect", state, check)


def _amended(state: DisputeState, answer: DisputeReply) -> tuple[Verdict, Update]:
    before = _disputed_suite(state)
    facts = AmendmentFacts(before, tuple(state["disputes"][-1]["tests"]), state["specs"], state["module_name"])
    amendment = amend(answer.tests, answer.contradiction, facts)
    if not amendment.tests:
        return amendment.verdict, {}
    name = f"test_{state['module_name']}.py"
    change = difference(before, amendment.tests, name, f"{name}, amended")
    return Verdict((*amendment.verdict.reasons, *check_tests(amendment.tests, state).reasons)), {
        "tests": amendment.tests,
        "disputed_suite": before,
        "answered": Decision(decision="amended", answer=answer.reason, difference=change),
    }


def _vet(state: DisputeState, *, runtime: Runtime[TeamContext]) -> Update:
    """An amended suite is put to what the first one was; one that was kept has been."""
    return VETTING.measure(state, runtime=runtime) if state["answered"]["decision"] == "amended" else {"vetting": []}


def _judge_vetted(state: DisputeState) -> Judgement:
    if state["answered"]["decision"] == "kept":
        return Judgement(Verdict(), {"status": "tests_kept", **_decided(state, state["answered"])})
    judgement = VETTING.judge(state)
    if not judgement.verdict.passed:
        return judgement
    observations = forgotten(state.get("observations", []), state["disputes"][-1]["tests"])
    amended = {"status": "tests_amended", "observations": observations, **_decided(state, state["answered"])}
    return Judgement(judgement.verdict, {**judgement.update, **amended})


def _give_up(state: Any) -> Update:
    """An amendment that is refused to the last leaves the suite as it was."""
    refused = Decision(decision="refused", answer="; ".join(state["reasons"]), difference="")
    return {"status": "tests_kept", "tests": _disputed_suite(state), **_decided(state, refused)}


def _decided(state: DisputeState, settled: Decision) -> Update:
    *earlier, dispute = state["disputes"]
    *history, latest = state["debug_history"]
    decision, answer = settled["decision"], settled["answer"]
    entry = audit_entry(
        f"{dispute['id']}-{decision}", role="architect", gate="dispute", reasons=[answer], action=_ACTIONS[decision]
    )
    return {
        "disputes": [*earlier, Dispute({**dispute, **settled})],
        "debug_history": [*history, f"{latest} → {_TOLD[decision]}: {' '.join(answer.split())}"],
        "audit": [entry],
    }


def _question(state: Any) -> Approval:
    dispute = state["disputes"][-1]
    told = [f"The debugger: {dispute['reason']}", f"The architect: {dispute['answer']}", *dispute["evidence"]]
    decided = "keep" if dispute["decision"] == "kept" else "amend"
    return Approval(
        matter="dispute",
        question=f"{', '.join(dispute['tests'])}: shall the architect's decision to {decided} stand?",
        background="\n".join(told),
        texts={"tests": state["tests"]},
        difference=dispute["difference"],
    )


def _refused_texts(state: Any) -> dict[str, str]:
    return {"tests": _disputed_suite(state)}


def _abort(state: Any) -> Update:
    """The suite stays the one that the candidate was measured on."""
    return _refused_texts(state)


DISPUTE = GatedAuthor(
    name="dispute",
    state=DisputeState,
    output=DisputeOutput,
    write=writer("architect", _conversation),
    judge=_judge,
    give_up=_give_up,
    trial=Trial(_vet, _judge_vetted),
    escalate=climber("architect"),
    oversight=overseen("architect", "dispute", question=_question, refused_texts=_refused_texts, abort=_abort),
)
