"""The one way from a node to a model: through the ledger, at a place of the run that a crash does not change."""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextvars import copy_context
from threading import Thread, current_thread, main_thread
from typing import Any

from langgraph.runtime import Runtime

from src.context import Branching, RoleModel, TeamContext
from src.reply import Permit, Reply, WorstCase, permitted
from src.state import Message, Role


def call(
    role: Role, messages: Sequence[Message], runtime: Runtime[TeamContext], rung: int = 0, developer: int = 0
) -> Reply:
    """Ask the model on a rung of the ladder of `role`. `developer`: which of several asks; 0: there is one alone.

    A reply that came in before a crash of this very step is taken as it is.

    Raises `ProviderError` when no reply can be had, and `BudgetReached` before a call that could cross the budget.
    """
    context, step = runtime.context, runtime.execution_info
    rungs = context.rungs(role)
    place = f"{role}-{step.task_id if step else 'alone'}"
    model = rungs[min(rung, len(rungs) - 1)]
    if developer and isinstance(model, Branching):
        model = model.of(developer)
    if context.interrupted and current_thread() is not main_thread():  # which is interrupted by itself
        model = Abandonable(model, context.interrupted)
    return context.ledger.ask(place, role, model, messages, developer)


class Abandonable:
    """A model whose reply is waited for until the run is interrupted. An interruption reaches one thread alone, and
    that one would wait for all others, who wait for a provider.
    """

    def __init__(self, model: RoleModel, interrupted: "Future[None]") -> None:
        self._model = model
        self._interrupted = interrupted

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """That of the model."""
        return self._model.worst_case(messages)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """The model's reply. Raises what the model does, and `KeyboardInterrupt`, which leaves the request behind."""
        answered: Future[Reply] = Future()

        def attempt() -> None:
            try:
                answered.set_result(self._model.ask(messages, self._guarded(permit)))
            except BaseException as error:  # noqa: BLE001  # handed to the thread that waits
                answered.set_exception(error)

        self._check()
        Thread(target=copy_context().run, args=(attempt,), name="selfheal-developer", daemon=True).start()
        either: tuple[Future[Any], ...] = (answered, self._interrupted)
        wait(either, return_when=FIRST_COMPLETED)
        if not answered.done():
            self._check()
        return answered.result()

    def _guarded(self, permit: Permit) -> Permit:
        """Nothing is sent again, nor written down, for a run that is over."""

        def guarded(*, billed: bool) -> None:
            self._check()
            permit(billed=billed)

        return guarded

    def _check(self) -> None:
        if self._interrupted.done():
            raise KeyboardInterrupt
