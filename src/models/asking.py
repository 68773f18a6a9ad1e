"""One call to a model: sent again while that may help, answered as plain data, every fault one of ours."""

import time
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from threading import Thread
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from src.config import Settings
from src.errors import BudgetReached
from src.models.answers import reply_of
from src.models.tiers import Tier
from src.models.translate import billed, fault_of, retry_after, transient
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.state import Message, Role
from src.usage import PriceTable

MAX_WAIT = 60.0
"""Seconds between two attempts at most. A provider that asks for more (a quota of the day) is not asked again."""

FRAME_TOKENS = 16
"""Tokens that a provider puts around one message at most."""

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
        self._seconds = settings.model_seconds
        self._prices = prices
        self._sleep = sleep
        self._notice = notice

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """Send a conversation and wait for the reply; `permit` is asked before each attempt but the first.

        A blocked, truncated or empty reply is a reply. Raises a `ModelFault` when none can be had.
        """
        # Text from tests can hold lone surrogates, which no JSON request can carry.
        clean = [(who, text.encode("utf-8", "replace").decode("utf-8")) for who, text in messages]
        begun = time.monotonic()
        try:
            message = self._retrying(permit)(self._invoke, clean)
        except BudgetReached:
            raise
        except Exception as error:  # noqa: BLE001  # clients raise whatever their HTTP library and JSON reader raise
            fault = fault_of(error, self._who, self._secrets)
        else:
            return reply_of(message, self.tier, self._prices, time.monotonic() - begun)
        # Outside of the handler: inside, the original would become the context even where it must not be chained.
        raise fault

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """What one attempt could use: no token is shorter than a byte, and no reply longer than its cap."""
        read = sum(len(text.encode("utf-8", "replace")) + FRAME_TOKENS for _, text in messages)
        usage = Usage(input_tokens=read, output_tokens=self.tier.max_tokens)
        price = self.tier.cost_of(self.tier.model, usage, self._prices)
        return WorstCase(read + self.tier.max_tokens, price, self.tier.model)

    def _invoke(self, messages: Sequence[Message]) -> Any:
        """One attempt. Its thread is left behind when it outlives the limit, as a reply that drips could for ever."""
        ended: Queue[tuple[Any, BaseException | None]] = Queue()

        def attempt() -> None:
            try:
                ended.put((self._chat.invoke(messages), None))
            except BaseException as error:  # noqa: BLE001  # handed to the thread that waits
                ended.put((None, error))

        Thread(target=attempt, name="selfheal-model", daemon=True).start()
        try:
            message, error = ended.get(timeout=self._seconds)
        except Empty:
            raise TimeoutError(f"the reply was not whole after {self._seconds:g} s (MODEL_SECONDS)") from None
        if error is not None:
            raise error
        return message

    def _retrying(self, permit: Permit) -> Retrying:
        return Retrying(
            retry=retry_if_exception(_worth_it),
            wait=_wait,
            stop=stop_after_attempt(self._attempts),
            sleep=self._sleep,
            before_sleep=lambda state: self._before_sleep(state, permit),
            reraise=True,
        )

    def _before_sleep(self, state: RetryCallState, permit: Permit) -> None:
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, Exception):
            return
        permit(billed=billed(error))
        if self._notice is not None:
            fault = fault_of(error, self._who, self._secrets)
            again = f"Attempt {state.attempt_number + 1} of {self._attempts} in {state.upcoming_sleep:.0f} s."
            self._notice(self.tier.role, f"{fault.message} {again}")


def _worth_it(error: BaseException) -> bool:
    return transient(error) and (retry_after(error) or 0) <= MAX_WAIT


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = retry_after(error) if error else None
    return _backoff(state) if asked is None else min(max(asked, 0.1), MAX_WAIT)
