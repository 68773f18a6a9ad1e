"""The developer: specification and suite → candidate."""

from typing import Any

from src.approvals import Approval
from src.gated import GatedAuthor, Judgement, Update
from src.gates.verdict import Verdict
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


def _conversation(state: AuthorState) -> list[Message]:
    return conversation(
        "developer",
        module_name=state["module_name"],
        user_request=state["user_request"],
        specs=state["specs"],
        tests=state["tests"],
        lessons=hints_of(state),
    )


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        code = edited_code(state) or parse_developer(reply, facts.wanted)
        verdict, learnt = judge_candidate("developer", state, code, facts)
        return verdict, {"code": code, "status": "code_generated", **learnt}

    return judge("developer", state, check)


def _give_up(state: Any) -> Update:
    return give_up("developer", state)


def _question(state: Any) -> Approval:
    return Approval(
        matter="code",
        question="Shall this module be tested?",
        background="It passed the gate; nothing of it has run yet.",
        texts={"code": state["code"]},
    )


def _refused_texts(state: Any) -> dict[str, str]:
    try:
        return {"code": parse_developer(draft_of(state), candidate_facts(state).wanted)}
    except FormatError:
        return {"code": draft_of(state).text}


def _abort(state: Any) -> Update:
    """The module is worth having, untested as it is."""
    return {"code": state["held"]["code"]} if state["held"] else {}


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
