"""From settings to the models of a run."""

import time
from collections.abc import Callable
from typing import Any

from src.config import Settings
from src.context import RoleModel
from src.errors import ConfigurationError
from src.models.asking import ProviderModel
from src.models.fallback import WithFallback
from src.models.sending import Notice
from src.models.tiers import Tier, check_keys, describe_fallback, describe_ladders, provider_called
from src.models.translate import redact
from src.state import Role
from src.usage import PriceTable, load_prices


def build_ladders(
    settings: Settings, sleep: Callable[[float], None] = time.sleep, notice: Notice | None = None
) -> dict[Role, tuple[RoleModel, ...]]:
    """The models of every role, the first to be asked first, checked as far as that goes without a call.

    `sleep` waits between attempts; `notice` is told about each wait. Takes seconds: the clients are imported here.
    Raises `ConfigurationError` for a key that is missing or a thinking level that a model does not know.
    """
    check_keys(settings)
    prices = load_prices(settings.prices_file)

    def built(role: Role, tier: Tier) -> RoleModel:
        model = build_model(tier, settings, prices, sleep, notice)
        if (instead := describe_fallback(role, settings)) is None:
            return model
        return WithFallback(model, build_model(instead, settings, prices, sleep, notice), tier, instead, notice)

    return {role: tuple(built(role, tier) for tier in tiers) for role, tiers in describe_ladders(settings).items()}


def build_model(
    tier: Tier, settings: Settings, prices: PriceTable, sleep: Callable[[float], None], notice: Notice | None
) -> RoleModel:
    """The model of one tier. Raises `ConfigurationError`."""
    return ProviderModel(tier, connect(tier, settings), settings, prices, sleep, notice)


def connect(tier: Tier, settings: Settings) -> Any:
    """The client of one tier; see `Provider.connect`. Raises `ConfigurationError`."""
    try:
        return provider_called(tier.provider).connect(tier, settings)
    except ValueError as error:  # what the clients' own checks of their arguments raise
        reason = redact(" ".join(str(error).split())[:400], settings.secrets())
        raise ConfigurationError(f"{tier.variable}_MODEL={tier.model} cannot be used: {reason}") from None
