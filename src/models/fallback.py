"""Another provider in place of one that failed for good."""

from collections.abc import Sequence
from dataclasses import replace

from src.context import RoleModel
from src.errors import ProviderError
from src.models.sending import Notice
from src.models.tiers import Tier
from src.reply import Permit, Reply, WorstCase, permitted
from src.state import Message


class WithFallback:
    """Asks a model and, when its provider fails for good, another one; the reply tells of it."""

    def __init__(
        self, model: RoleModel, instead: RoleModel, tier: Tier, instead_tier: Tier, notice: Notice | None = None
    ) -> None:
        self._model = model
        self._instead = instead
        self._tier = tier
        self._instead_tier = instead_tier
        self._notice = notice

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """The dearer of the two: each attempt asks one of them."""
        first, second = self._model.worst_case(messages), self._instead.worst_case(messages)
        known = first.cost is not None and second.cost is not None
        cost = max(first.cost or 0.0, second.cost or 0.0) if known else None
        return WorstCase(max(first.tokens, second.tokens), cost, first.model)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """The reply of the one that answers. Raises what the fallback raises, and what `permit` does."""
        try:
            return self._model.ask(messages, permit)
        except ProviderError as error:
            fault = error
        permit(billed=fault.billed)
        if self._notice is not None:
            self._notice(self._tier.role, f"{fault.message} {self._instead_tier.model} is asked in its place.")
        return replace(self._instead.ask(messages, permit), in_place_of=fault.message)
