"""One call: its attempts, what each could cost, and a limit that no dripping reply outlives."""

import threading
from concurrent.futures import Future
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import pytest

from src.config import load_settings
from src.errors import BudgetReached
from src.models.asking import ProviderModel
from src.models.faults import UnreachableFault
from src.models.sending import Sender
from src.models.tiers import Tier
from src.reply import WorstCase
from src.state import Message
from src.usage import load_prices

ASK: list[Message] = [("human", "Bitte zähle.")]
OVER = threading.Event()


class Dripping:
    """A provider whose reply never becomes whole."""

    def invoke(self, _messages: Any) -> Any:
        OVER.wait(20)


class Refusing:
    """A provider that is cut off each time."""

    def invoke(self, _messages: Any) -> Any:
        raise ConnectionError("cut off")


def model(chat: Any, **settings: Any) -> ProviderModel:
    tier = Tier("developer", "openai", "gpt-4o", None, None, 1000)
    chosen = load_settings(**settings)
    return ProviderModel(tier, chat, chosen, load_prices(), sleep=lambda _seconds: None)


def test_a_reply_that_drips_for_ever_is_given_up() -> None:
    with pytest.raises(UnreachableFault, match="MODEL_SECONDS") as caught:
        model(Dripping(), model_seconds=0.05, model_attempts=1).ask(ASK)
    assert caught.value.billed, "the provider may have done all of its work"
    OVER.set()


def test_nobody_waits_for_a_provider_once_the_process_is_asked_to_stop() -> None:
    interrupted: Future[None] = Future()
    tier = Tier("assistant", "openai", "gpt-4o", None, None, 1000)
    sender = Sender(tier, load_settings(), interrupted=interrupted)
    sent, over = [], threading.Event()

    def request() -> None:
        sent.append("once")
        interrupted.set_result(None)
        over.wait(20)

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            sender.send(request)
    assert sent == ["once"], "nothing more is sent afterwards"
    over.set()


def test_no_pause_between_attempts_outlives_the_wish_to_stop() -> None:
    interrupted: Future[None] = Future()

    def refused() -> None:
        interrupted.set_result(None)
        raise ConnectionError("cut off")

    tier = Tier("assistant", "openai", "gpt-4o", None, None, 1000)
    with pytest.raises(KeyboardInterrupt):
        Sender(tier, load_settings(), interrupted=interrupted).send(refused)


def test_another_attempt_is_sent_only_where_it_is_permitted() -> None:
    asked: list[bool] = []

    def permit(*, billed: bool) -> None:
        asked.append(billed)
        if len(asked) == 2:
            raise BudgetReached("enough")

    with pytest.raises(BudgetReached):
        model(Refusing()).ask(ASK, permit)
    assert asked == [True, True]


def test_the_worst_case_counts_every_byte_as_a_token_and_the_whole_cap() -> None:
    worst = model(Refusing()).worst_case(ASK)
    price = load_prices().price_of("openai", "gpt-4o", datetime.now(UTC).date())
    assert price is not None
    assert worst == WorstCase(13 + 16 + 1000, (29 * price.input + 1000 * price.output) / 1e6, "gpt-4o")


def test_a_request_is_made_in_the_context_of_its_caller_so_that_traces_belong_together() -> None:
    step: ContextVar[str] = ContextVar("step", default="none")
    sender = Sender(Tier("developer", "openai", "gpt-4o", None, None, 1000), load_settings())
    step.set("developer")
    assert sender.send(step.get) == "developer"
