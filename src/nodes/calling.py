"""The one way from a node to a model: through the ledger, at a place of the run that a crash does not change."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from src.context import Branching, TeamContext
from src.reply import Reply
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
    served = model.of(developer) if developer and isinstance(model, Branching) else model
    return context.ledger.ask(place, role, served, messages, developer)
