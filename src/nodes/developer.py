"""The developer: specification and suite → candidate."""

from typing import Any

from src.gated import GatedAuthor, Judgement, Update
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, climber, give_up, judge, writer
from src.nodes.candidate import candidate_facts, judge_candidate
from src.parsing import parse_developer
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
    )


def _judge(state: AuthorState) -> Judgement:
    facts = candidate_facts(state)

    def check(reply: Reply) -> tuple[Verdict, Update]:
        code = parse_developer(reply, facts.wanted)
        verdict, learnt = judge_candidate("developer", state, code, facts)
        return verdict, {"code": code, "status": "code_generated", **learnt}

    return judge("developer", state, check)


def _give_up(state: Any) -> Update:
    return give_up("developer", state)


DEVELOPER = GatedAuthor(
    "developer",
    AuthorState,
    DeveloperOutput,
    writer("developer", _conversation),
    _judge,
    _give_up,
    escalate=climber("developer"),
)
