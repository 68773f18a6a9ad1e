"""What the architect, the developer and the debugger have in common: a role that is asked, and asked again."""

from collections.abc import Callable
from typing import Annotated, TypedDict

from langgraph.runtime import Runtime

from src.context import Message, TeamContext
from src.events import CorrectionAsked
from src.gated import Correctable, Judgement, Update, Writer
from src.gates.verdict import Verdict
from src.parsing import FormatError
from src.prompts import correction
from src.reply import Finish, Reply
from src.state import Call, Rejection, Role, Status, TeamState, merge_by_id
from src.usage import call_record


class Draft(TypedDict):
    """The latest reply of an author, not yet accepted."""

    text: str
    """What it wrote."""
    finish: Finish
    """Why it stopped."""


class AuthorState(TeamState, Correctable, total=False):
    """State inside an author's box."""

    draft: Draft
    """The latest reply."""


class AuthorOutput(TypedDict, total=False):
    """What every author hands to the team; each adds what it writes."""

    status: Status
    """Where the run stands."""
    calls: Annotated[list[Call], merge_by_id]
    """Every call to a model."""
    rejections: Annotated[list[Rejection], merge_by_id]
    """Every refusal by a gate."""


def writer(role: Role, conversation: Callable[[AuthorState], list[Message]]) -> Writer:
    """The author node of `role`; a refused reply goes back to it with the reasons."""

    def write(state: AuthorState, *, runtime: Runtime[TeamContext]) -> Update:
        messages = conversation(state)
        if reasons := state.get("reasons"):
            runtime.context.on_event(CorrectionAsked(role, tuple(reasons), state.get("corrections", 0)))
            previous = state["draft"]["text"] or "(no text)"
            messages += [("ai", previous), correction(reasons)]
        reply = runtime.context.models[role].ask(messages)
        return {"draft": Draft(text=reply.text, finish=reply.finish), "calls": [call_record(role, reply)]}

    return write


def judge(role: Role, state: AuthorState, check: Callable[[Reply], tuple[Verdict, Update]]) -> Judgement:
    """Read the latest reply and check what it holds; a reply that cannot be read is refused with its reason."""
    try:
        verdict, update = check(Reply(**state["draft"]))
    except FormatError as error:
        verdict, update = Verdict((error.reason,)), {}
    if verdict.passed:
        return Judgement(verdict, update)
    refused = Rejection(id=_refusal_id(role, state), role=role, reasons=list(verdict.reasons))
    return Judgement(verdict, {"rejections": [refused]})


def _refusal_id(role: Role, state: AuthorState) -> str:
    """The same refusal has the same id when a step is done again after a crash."""
    return f"{role}-{state.get('iteration', 0)}-{state.get('corrections', 0)}"
