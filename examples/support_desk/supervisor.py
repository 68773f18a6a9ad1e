"""The supervisor, who only routes, and the summary of a long conversation. Neither does anything."""

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage

from examples.support_desk.claims import Route, Summary
from examples.support_desk.edges import KEPT
from examples.support_desk.extraction import Extraction
from examples.support_desk.gates import MAX_SUMMARY, route_verdict, summary_verdict
from examples.support_desk.prompts import SUMMARY, SUPERVISOR
from examples.support_desk.state import DeskState
from src.gated import Update
from src.text import one_line

ROUTE = Extraction("supervisor", Route, SUPERVISOR, lambda claim, _state: route_verdict(claim))


def transcript(state: DeskState) -> str:
    """What is to be summed up: what was summed up before, and the messages that are to go."""
    names = {"human": "customer", "ai": "desk"}
    said = [f"{names[message.type]}: {one_line(str(message.content), 2000)}" for message in _old(state)]
    return "\n".join([state.get("summary", ""), *said]).strip()


def _by_rule(state: DeskState) -> Update:
    """What is kept when the model's summaries were refused: the end of what was said, word for word."""
    return {"accepted": {"summary": transcript(state)[-MAX_SUMMARY:]}, "standing": "accepted"}


SUMMED_UP = Extraction(
    "summary",
    Summary,
    SUMMARY,
    lambda claim, state: summary_verdict(claim, transcript(state)),
    reads=lambda state: [HumanMessage(transcript(state))],
    without=_by_rule,
)


def forget(state: DeskState) -> Update:
    """Put the summary in place of the messages that it sums up; they are removed by their ids."""
    gone = [RemoveMessage(id=str(message.id)) for message in _old(state)]
    return {"summary": state["accepted"]["summary"], "messages": gone, "accepted": {}, "standing": ""}


def _old(state: DeskState) -> list[AnyMessage]:
    return state["messages"][:-KEPT]
