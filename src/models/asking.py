"""One call to a model: sent again while that may help, answered as plain data, every fault one of ours."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from src.config import Settings
from src.context import Message
from src.models.answers import reply_of
from src.models.tiers import Tier
from src.models.translate import fault_of, retry_after, transient
from src.reply import Reply
from src.state import Role
from src.usage import PriceTable

MAX_WAIT = 60.0
"""Seconds between two attempts at most. A provider that asks for more (a quota of the day) is not asked again."""

Notice = Callable[[Role, str], None]
"""Told about each wait: whose call, and one line for people."""

_backoff = wait_exponential_jitter(initial=1, max=30, jitter=1)


class ProviderModel:
    """The model of a role at a real provider. Safe in threads."""

    def __init__(
        self,
        tier: Tier,
        title: str,
        chat: Any,
        settings: Settings,
        prices: PriceTable,
        sleep: Callable[[float], None] = time.sleep,
        notice: Notice | None = None,
    ) -> None:
        self.tier = tier
        self._who = f"{title} ({tier.model}, {tier.role})"
        self._chat = chat
        self._secrets = settings.secrets()
        self._attempts = settings.model_attempts
        self._prices = prices
        self._sleep = sleep
        self._notice = notice

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Send a conversation and wait for the reply.

        A blocked, truncated or empty reply is a reply. Raises a `ModelFault` when none can be had.
        """
        # Text from tests can hold lone surrogates, which no JSON request can carry.
        clean = [(who, text.encode("utf-8", "replace").decode("utf-8")) for who, text in messages]
        begun = time.monotonic()
        try:
            message = self._retrying()(self._chat.invoke, clean)
        except Exception as error:  # noqa: BLE001  # clients raise whatever their HTTP library and JSON reader raise
            fault = fault_of(error, self._who, self._secrets)
        else:
            return reply_of(message, self.tier, self._prices, time.monotonic() - begun)
        # Outside of the handler: inside, the original would become the context even where it must not be chained.
        raise fault

    def _retrying(self) -> Retrying:
        return Retrying(
            retry=retry_if_exception(_worth_it),
            wait=_wait,
            stop=stop_after_attempt(self._attempts),
            sleep=self._sleep,
            before_sleep=self._tell,
            reraise=True,
        )

    def _tell(self, state: RetryCallState) -> None:
        if self._notice is None or state.outcome is None:
            return
        error = state.outcome.exception()
        if isinstance(error, Exception):
            fault = fault_of(error, self._who, self._secrets)
            again = f"Attempt {state.attempt_number + 1} of {self._attempts} in {state.upcoming_sleep:.0f} s."
            self._notice(self.tier.role, f"{fault.message} {again}")


def _worth_it(error: BaseException) -> bool:
    return transient(error) and (retry_after(error) or 0) <= MAX_WAIT


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = retry_after(error) if error else None
    return _backoff(state) if asked is None else min(max(asked, 0.1), MAX_WAIT)
