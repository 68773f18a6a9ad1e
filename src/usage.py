"""What calls used and what they cost. Prices come from a dated table; an unknown price is `None`, never zero."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from src.errors import ConfigurationError
from src.reply import Usage
from src.state import ROLES, Call, Called

PRICES_FILE = Path(__file__).with_name("prices.json")
"""The table that ships."""

_PER = 1_000_000
_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{3})$")
"""Providers answer with a name that ends in the release: `gpt-4o-2024-08-06`, `gemini-2.5-pro-001`."""


class Price(BaseModel):
    """Dollars per million tokens of one model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: str
    """Name in the table of providers; the same model may cost something else elsewhere."""
    model: str
    """The model's name at that provider."""
    as_of: date
    """When this price was known to hold."""
    until: date | None = None
    """The last day of a price that was announced to end."""
    input: float = Field(ge=0)
    """Tokens read."""
    output: float = Field(ge=0)
    """Tokens written, thinking included."""
    cached: float | None = Field(default=None, ge=0)
    """Tokens read from the provider's cache; `None`: as `input`."""
    up_to_input_tokens: int | None = Field(default=None, gt=0)
    """The longest prompt that this price holds for; the cost of a longer one is unknown."""

    def cost(self, usage: Usage) -> float | None:
        """Dollars of a call, or `None` when its counts are not known or this price does not hold for its length."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        if self.up_to_input_tokens is not None and usage.input_tokens > self.up_to_input_tokens:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        cached_price = self.input if self.cached is None else self.cached
        read = (usage.input_tokens - cached) * self.input + cached * cached_price
        return (read + usage.output_tokens * self.output) / _PER


class PriceTable(BaseModel):
    """Prices of the models that are known."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prices: tuple[Price, ...]
    """Where a model has several rows, the first that still holds counts."""

    def price_of(self, provider: str, model: str, today: date) -> Price | None:
        """The row of a model, under its own name or under the name without the release at its end."""
        name = model.removeprefix("models/")
        for wanted in (name, _DATED.sub("", name)):
            for price in self.prices:
                holds = price.until is None or today <= price.until
                if holds and (price.provider, price.model) == (provider, wanted):
                    return price
        return None

    def cost_of(self, provider: str, model: str, usage: Usage, today: date | None = None) -> float | None:
        """Dollars of a call to the model that answered; `None` when the price is unknown."""
        price = self.price_of(provider, model, today or datetime.now(UTC).date())
        return price.cost(usage) if price else None


@lru_cache(maxsize=8)
def load_prices(path: Path | None = None) -> PriceTable:
    """The table at `path`, or the one that ships. Raises `ConfigurationError` when it cannot be read."""
    chosen = path or PRICES_FILE
    try:
        return PriceTable.model_validate_json(chosen.read_bytes())
    except OSError as error:
        raise ConfigurationError(f"PRICES_FILE cannot be read: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"PRICES_FILE={chosen} is not a price table: {where}: {first['msg']}.") from None


class Total(BaseModel):
    """Sums over some calls. Counts that no provider told are left out; `None`: none of them was told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: int = 0
    """How many."""
    input_tokens: int | None = None
    """Tokens read."""
    output_tokens: int | None = None
    """Tokens written, thinking included."""
    reasoning_tokens: int | None = None
    """The thinking part."""
    cached_tokens: int | None = None
    """The cached part of what was read."""
    tokens_unknown: int = 0
    """Calls whose tokens were not told: the sums are too low by theirs."""
    cost: float | None = None
    """Dollars of the calls whose cost is known; `None`: of none is it known."""
    cost_unknown: int = 0
    """Calls whose cost is not known: `cost` is too low by theirs."""
    seconds: float = 0.0
    """Wall-clock seconds of waiting for models."""


class Totals(BaseModel):
    """Sums by role and in all."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    by_role: dict[Called, Total]
    """Only roles that were asked; `embedding` where an embedding model was."""
    total: Total
    """All of them."""


def totals(calls: Iterable[Call]) -> Totals:
    """Sum up calls by role and in all."""
    every = list(calls)
    everybody: tuple[Called, ...] = (*ROLES, "embedding")
    by_role = {role: [call for call in every if call["role"] == role] for role in everybody}
    return Totals(
        by_role={role: _total(of_role) for role, of_role in by_role.items() if of_role},
        total=_total(every),
    )


def _total(calls: Sequence[Call]) -> Total:
    costs = [call["cost"] for call in calls if call["cost"] is not None]
    return Total(
        calls=len(calls),
        input_tokens=_sum(call["input_tokens"] for call in calls),
        output_tokens=_sum(call["output_tokens"] for call in calls),
        reasoning_tokens=_sum(call["reasoning_tokens"] for call in calls),
        cached_tokens=_sum(call["cached_tokens"] for call in calls),
        tokens_unknown=sum(call["input_tokens"] is None or call["output_tokens"] is None for call in calls),
        cost=round(sum(costs), 10) if costs else None,
        cost_unknown=len(calls) - len(costs),
        seconds=round(sum(call["seconds"] for call in calls), 3),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
