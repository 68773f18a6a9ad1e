"""The developer: specification and suite → candidate."""

from typing import Any

from src.context import Message
from src.gated import GatedAuthor, Judgement, Update
from src.gates.candidate import CandidateFacts, check_candidate
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, judge, writer
from src.parsing import parse_developer
from src.prompts import conversation
from src.reply import Reply


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
    facts = CandidateFacts(state["module_name"], state["tests"])

    def check(reply: Reply) -> tuple[Verdict, Update]:
        code = parse_developer(reply, facts.wanted)
        return check_candidate(code, facts), {"code": code, "status": "code_generated"}

    return judge("developer", state, check)


def _give_up(_state: Any) -> Update:
    return {"status": "gave_up"}


DEVELOPER = GatedAuthor("developer", AuthorState, DeveloperOutput, writer("developer", _conversation), _judge, _give_up)
