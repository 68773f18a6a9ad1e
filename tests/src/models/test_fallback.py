"""A fallback answers when a provider fails for good, and only then."""

from collections.abc import Sequence

import pytest

from src.errors import BudgetReached
from src.models.fallback import WithFallback
from src.models.faults import AuthenticationFault, UnreachableFault
from src.models.tiers import Tier
from src.reply import WorstCase
from src.state import Message
from tests.conftest import Answers

ASK: list[Message] = [("human", "Go on.")]
FIRST = Tier("developer", "gemini", "flash", None, None, 10)
SECOND = Tier("developer", "openai", "gpt", None, None, 10)


def pair(*first: str | BaseException, second: Sequence[str | BaseException] = ()) -> tuple[WithFallback, list[str]]:
    told: list[str] = []
    model = WithFallback(Answers(*first), Answers(*second), FIRST, SECOND, lambda _role, line: told.append(line))
    return model, told


def test_a_provider_that_answers_is_not_replaced() -> None:
    model, told = pair("fine")
    assert (model.ask(ASK).text, told) == ("fine", [])


def test_a_provider_that_fails_for_good_is_replaced_and_the_reply_says_why() -> None:
    model, told = pair(AuthenticationFault("The key was refused."), second=["instead"])
    reply = model.ask(ASK)
    assert (reply.text, reply.in_place_of) == ("instead", "The key was refused.")
    assert told == ["The key was refused. gpt is asked in its place."]


def test_when_both_fail_the_last_fault_counts() -> None:
    model, _ = pair(AuthenticationFault("first"), second=[UnreachableFault("second")])
    with pytest.raises(UnreachableFault, match="second"):
        model.ask(ASK)


def test_the_fallback_is_asked_only_where_it_is_permitted() -> None:
    model, _ = pair(UnreachableFault("cut off", billed=True), second=["instead"])

    def permit(*, billed: bool) -> None:
        raise BudgetReached(f"billed: {billed}")

    with pytest.raises(BudgetReached, match="billed: True"):
        model.ask(ASK, permit)


def test_a_call_can_cost_what_the_dearer_of_the_two_costs() -> None:
    class Dear(Answers):
        def worst_case(self, messages: Sequence[Message]) -> WorstCase:  # noqa: ARG002
            return WorstCase(900, 0.9, "dear")

    assert WithFallback(Answers(), Dear(), FIRST, SECOND).worst_case(ASK) == WorstCase(900, 0.9, "told")
