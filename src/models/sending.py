"""One request to a provider: sent again while that may help, given up in time, every fault one of ours."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextvars import copy_context
from threading import Thread
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from src.config import Settings
from src.errors import BudgetReached
from src.models.tiers import Served, Tier, provider_called
from src.models.translate import billed, fault_of, retry_after, transient
from src.reply import Permit, permitted

MAX_WAIT = 60.0
"""Seconds between two attempts at most. A provider that asks for more (a quota of the day) is not asked again."""

Notice = Callable[[Served, str], None]
"""Told about each wait: whose call, and one line for people."""

_backoff = wait_exponential_jitter(initial=1, max=30, jitter=1)


class Sender:
    """Sends the requests of one tier. Safe in threads."""

    def __init__(
        self,
        tier: Tier,
        settings: Settings,
        sleep: Callable[[float], None] | None = None,
        notice: Notice | None = None,
        interrupted: "Future[None] | None" = None,
    ) -> None:
        """`sleep` waits between attempts; see `MAX_WAIT`. `interrupted` is done when the process was asked to stop:
        Ctrl-C reaches the main thread alone, and that one would wait for all others, who wait for a provider.
        """
        self._tier = tier
        self._who = f"{provider_called(tier.provider).title} ({tier.model}, {tier.role})"
        self._secrets = settings.secrets()
        self._attempts = settings.model_attempts
        self._seconds = settings.model_seconds
        self._notice = notice
        self._interrupted: Future[None] = interrupted or Future()
        self._sleep = sleep or self._pause

    def send(self, request: Callable[[], Any], permit: Permit = permitted) -> Any:
        """What `request` returns; `permit` is asked before each attempt but the first.

        Raises a `ModelFault`, and `KeyboardInterrupt` when the process was asked to stop.
        """
        try:
            return self._retrying(permit)(self._attempt, request)
        except BudgetReached:
            raise
        except Exception as error:  # noqa: BLE001  # clients raise whatever their HTTP library and JSON reader raise
            fault = fault_of(error, self._who, self._secrets)
        # Outside of the handler: inside, the original would become the context even where it must not be chained.
        raise fault

    def _attempt(self, request: Callable[[], Any]) -> Any:
        """One attempt. Its thread is left behind when it outlives the limit, as a reply that drips could for ever."""
        answered: Future[Any] = Future()

        def attempt() -> None:
            try:
                answered.set_result(request())
            except BaseException as error:  # noqa: BLE001  # handed to the thread that waits
                answered.set_exception(error)

        if not self._interrupted.done():
            # In the caller's context, so that a trace shows the request under the step that made it.
            Thread(target=copy_context().run, args=(attempt,), name="selfheal-model", daemon=True).start()
            wait((answered, self._interrupted), timeout=self._seconds, return_when=FIRST_COMPLETED)
        if answered.done():
            return answered.result()
        if self._interrupted.done():
            raise KeyboardInterrupt
        raise TimeoutError(f"the reply was not whole after {self._seconds:g} s (MODEL_SECONDS)")

    def _pause(self, seconds: float) -> None:
        wait((self._interrupted,), timeout=seconds)

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
            self._notice(self._tier.role, f"{fault.message} {again}")


def _worth_it(error: BaseException) -> bool:
    return transient(error) and (retry_after(error) or 0) <= MAX_WAIT


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = retry_after(error) if error else None
    return _backoff(state) if asked is None else min(max(asked, 0.1), MAX_WAIT)
