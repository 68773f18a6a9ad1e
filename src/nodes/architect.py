"""The architect: request → specification and suite."""

from functools import partial
from typing import Any

from src.approvals import Approval
from src.gated import GatedAuthor, Judgement, Update
from src.gates.suite import MIN_TESTS, SuiteFacts, check_suite
from src.gates.verdict import Verdict
from src.nodes.author import (
    AuthorOutput,
    AuthorState,
    climber,
    draft_of,
    give_up,
    hints_of,
    judge,
    known_packages,
    writer,
)
from src.nodes.oversight import overseen
from src.nodes.vetting import VETTING, VettedState
from src.parsing import ArchitectReply, FormatError, parse_architect
from src.prompts import conversation
from src.reply import Reply
from src.state import Message, TeamState


class ArchitectOutput(AuthorOutput, total=False):
    """What the architect hands to the team."""

    specs: str
    """The specification."""
    tests: str
    """The suite."""


def _conversation(state: AuthorState) -> list[Message]:
    return conversation(
        "architect", module_name=state["module_name"], user_request=state["user_request"], lessons=hints_of(state)
    )


def _judge(state: AuthorState, *, min_tests: int) -> Judgement:
    def check(reply: Reply) -> tuple[Verdict, Update]:
        parsed = _edited(state) or parse_architect(reply, state["module_name"])
        verdict = check_tests(parsed.tests, state, min_tests)
        return verdict, {"specs": parsed.specs, "tests": parsed.tests, "status": "specs_ready"}

    return judge("architect", state, check)


def _edited(state: AuthorState) -> ArchitectReply | None:
    """What a person wrote in the architect's place."""
    edited = state.get("edited")
    if not edited:
        return None
    if not edited["spec"].strip():
        raise FormatError("missing_specification", "The specification is empty.")
    return ArchitectReply(edited["spec"], edited["tests"])


def check_tests(tests: str, state: TeamState, min_tests: int = 1) -> Verdict:
    """What every suite must be, the first one and an amended one alike; that one never has fewer tests than before."""
    packages, request = known_packages(state), state["user_request"]
    return check_suite(tests, SuiteFacts(state["module_name"], min_tests, packages, request))


def _give_up(state: Any) -> Update:
    return give_up("architect", state)


def _question(state: Any) -> Approval:
    return Approval(
        matter="spec",
        question="Shall the module be written to this specification and this suite?",
        background="The suite passed its gate, and each of its tests was seen to fail against a fake of the module.",
        texts={"spec": state["specs"], "tests": state["tests"]},
    )


def _refused_texts(state: Any) -> dict[str, str]:
    try:
        parsed = parse_architect(draft_of(state), state["module_name"])
    except FormatError:
        return {"spec": state.get("specs", ""), "tests": draft_of(state).text}
    return {"spec": parsed.specs, "tests": parsed.tests}


OVERSIGHT = overseen("architect", "spec", question=_question, refused_texts=_refused_texts)


def architect(min_tests: int = MIN_TESTS) -> GatedAuthor:
    """The author of specification and suite, who writes at least `min_tests` tests."""
    return GatedAuthor(
        "architect",
        VettedState,
        ArchitectOutput,
        writer("architect", _conversation),
        partial(_judge, min_tests=min_tests),
        _give_up,
        VETTING,
        climber("architect"),
        OVERSIGHT,
    )
