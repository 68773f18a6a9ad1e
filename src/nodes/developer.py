"""The developer: specification and suite → candidate. There may be several, who work at once and see nothing of each
other; each is this box, told which one it is.
"""

from typing import Annotated, Any

from src.approvals import Approval
from src.candidates import Candidate, called, candidate_of, latest_by_id, latest_code
from src.gated import GatedAuthor, Judgement, Update
from src.gates.verdict import Verdict
from src.nodes.approaches import approach_of
from src.nodes.author import AuthorOutput, AuthorState, climber, draft_of, give_up, hints_of, judge, writer
from src.nodes.candidate import candidate_facts, edited_code, judge_candidate
from src.nodes.oversight import overseen
from src.parsing import FormatError, parse_developer
from src.prompts import conversation
from src.reply import Reply
from src.state import Message


class DeveloperOutput(AuthorOutput, total=False):
    """What the developer hands to the team."""

    code: str
    """The candidate."""
    candidates: Annotated[list[Candidate], latest_by_id]
    """The candidate, of one of several developers."""


def _conversation(state: AuthorState) -> list[Message]:
    return conversation(
        "developer",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=state["tests"],
        lessons=hints_of(state),
        approach=approach_of(state.get("developer", 0)),
    )


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        code = edited_code(state) or parse_developer(reply, facts.wanted)
        verdict, learnt = judge_candidate("developer", state, code, facts)
        return verdict, {**_handed_in(state, code), "status": "code_generated", **learnt}

    return judge("developer", state, check)


def _handed_in(state: AuthorState, code: str) -> Update:
    """Where the candidate goes: there is one latest module, so that several developers need places of their own."""
    which = state.get("developer")
    if not which:
        return {"code": code}
    by_itself = not (state.get("edited") or state.get("sent_back"))
    return {"candidates": [candidate_of(which, code, independent=by_itself)]}


def _give_up(state: Any) -> Update:
    return give_up("developer", state)


def _question(state: Any) -> Approval:
    which = f" of {called('developer', state['developer'])}" if state.get("developer") else ""
    return Approval(
        matter="code",
        question=f"Shall this module{which} be tested?",
        background="It passed the gate; nothing of it has run yet.",
        texts={"code": latest_code(state)},
    )


def _refused_texts(state: Any) -> dict[str, str]:
    try:
        return {"code": parse_developer(draft_of(state), candidate_facts(state).wanted)}
    except FormatError:
        return {"code": draft_of(state).text}


def _abort(state: Any) -> Update:
    """The module is worth having, untested as it is."""
    return {key: state["held"][key] for key in ("code", "candidates") if key in state["held"]}


DEVELOPER = GatedAuthor(
    "developer",
    AuthorState,
    DeveloperOutput,
    writer("developer", _conversation),
    _judge,
    _give_up,
    escalate=climber("developer"),
    oversight=overseen("developer", "code", question=_question, refused_texts=_refused_texts, abort=_abort),
)
