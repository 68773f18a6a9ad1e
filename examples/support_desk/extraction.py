"""What a model fills in, and what is kept while it does; the loop itself is in `author.py`."""

from collections.abc import Callable
from dataclasses import dataclass

from langchain_core.messages import AnyMessage
from pydantic import BaseModel

from examples.support_desk.gates import Claim
from examples.support_desk.state import DeskState
from src.gated import Correctable, Update
from src.gates.verdict import Verdict


class ClaimState(DeskState, Correctable, total=False):
    """State inside the box; a new one each turn, so that every turn has its own corrections."""

    problems: list[str]
    """Why the reply is no form that was filled in; empty when it is one."""
    raw: str
    """The reply as its author is shown it."""


def conversation(state: DeskState) -> list[AnyMessage]:
    """What was said, the customer's latest message last."""
    return list(state["messages"])


@dataclass(frozen=True)
class Extraction:
    """A form that a model fills in."""

    who: str
    """Who fills it in."""
    form: type[BaseModel]
    """The form."""
    told: str
    """What the model is told."""
    gate: Callable[[Claim, DeskState], Verdict]
    """Judges what was filled in. Pure."""
    reads: Callable[[DeskState], list[AnyMessage]] = conversation
    """What the model reads."""
    asks: bool = False
    """Whether the customer is asked for the order's number when the model found none."""
    without: Callable[[DeskState], Update] | None = None
    """What is taken in place of a claim when corrections are used up; `None`: a person decides."""
