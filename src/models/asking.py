"""One call to a role's model, answered as plain data."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from src.config import Settings
from src.models.answers import reply_of
from src.models.sending import Notice, Sender
from src.models.tiers import Tier
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.state import Message
from src.usage import PriceTable

FRAME_TOKENS = 16
"""Tokens that a provider puts around one message at most."""


class ProviderModel:
    """The model of a role at a real provider. Safe in threads."""

    def __init__(
        self,
        tier: Tier,
        chat: Any,
        settings: Settings,
        prices: PriceTable,
        sleep: Callable[[float], None] = time.sleep,
        notice: Notice | None = None,
    ) -> None:
        self.tier = tier
        self._chat = chat
        self._prices = prices
        self._sender = Sender(tier, settings, sleep, notice)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        """Send a conversation and wait for the reply; `permit` is asked before each attempt but the first.

        A blocked, truncated or empty reply is a reply. Raises a `ModelFault` when none can be had.
        """
        # Text from tests can hold lone surrogates, which no JSON request can carry.
        clean = [(who, text.encode("utf-8", "replace").decode("utf-8")) for who, text in messages]
        begun = time.monotonic()
        message = self._sender.send(lambda: self._chat.invoke(clean), permit)
        return reply_of(message, self.tier, self._prices, time.monotonic() - begun)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """What one attempt could use: no token is shorter than a byte, and no reply longer than its cap."""
        read = sum(len(text.encode("utf-8", "replace")) + FRAME_TOKENS for _, text in messages)
        usage = Usage(input_tokens=read, output_tokens=self.tier.max_tokens)
        price = self.tier.cost_of(self.tier.model, usage, self._prices)
        return WorstCase(read + self.tier.max_tokens, price, self.tier.model)
