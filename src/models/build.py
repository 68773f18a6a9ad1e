"""From settings to the models of a run."""

import time
from collections.abc import Callable

from src.config import Settings
from src.context import RoleModel
from src.errors import ConfigurationError
from src.models.asking import Notice, ProviderModel
from src.models.tiers import Tier, check_keys, provider_called
from src.models.translate import redact
from src.state import Role
from src.usage import PriceTable, load_prices


def build_models(
    settings: Settings, sleep: Callable[[float], None] = time.sleep, notice: Notice | None = None
) -> dict[Role, RoleModel]:
    """A model for every role, checked as far as that goes without a call.

    `sleep` waits between attempts; `notice` is told about each wait. Takes seconds: the clients are imported here.
    Raises `ConfigurationError` for a key that is missing or a thinking level that a model does not know.
    """
    tiers = check_keys(settings)
    prices = load_prices(settings.prices_file)
    return {role: build_model(tier, settings, prices, sleep, notice) for role, tier in tiers.items()}


def build_model(
    tier: Tier, settings: Settings, prices: PriceTable, sleep: Callable[[float], None], notice: Notice | None
) -> RoleModel:
    provider = provider_called(tier.provider)
    try:
        chat = provider.connect(tier, settings)
    except ValueError as error:  # what the clients' own checks of their arguments raise
        reason = redact(" ".join(str(error).split())[:400], settings.secrets())
        raise ConfigurationError(f"{tier.variable}_MODEL={tier.model} cannot be used: {reason}") from None
    return ProviderModel(tier, provider.title, chat, settings, prices, sleep, notice)
