"""OpenAI's own models."""

import re
from typing import Any

from pydantic import SecretStr

from src.config import Settings
from src.models.compatible import open_chat
from src.models.tiers import Tier, check_level

ADDRESS = "https://api.openai.com/v1"

_KNOWN_LEVELS = ("none", "minimal", "low", "medium", "high")
_THINKS = re.compile(r"(ft:)?(o\d|gpt-[5-9])")
"""Reasoning models by their names, for those that the client's table does not list."""


class OpenAI:
    """OpenAI's API."""

    title = "OpenAI"
    key_variable = "OPENAI_API_KEY"

    def key(self, settings: Settings) -> SecretStr | None:
        """The key from the settings."""
        return settings.openai_api_key

    def connect(self, tier: Tier, settings: Settings) -> Any:
        """A `ChatOpenAI`; see `Provider.connect`. Some models answer only at the newer endpoint: the client knows."""
        options: dict[str, Any] = {
            "api_key": settings.openai_api_key,
            "base_url": settings.openai_base_url or ADDRESS,
            "use_responses_api": None,
            "reasoning_effort": tier.thinking_level,
        }
        profile = open_chat(tier, settings, **options).profile or {}
        check_level(tier, allowed_levels(tier.model, profile))
        if not _thinks(tier.model, profile) or (tier.thinking_level == "none" and profile.get("temperature")):
            options["temperature"] = tier.temperature  # while they think, models refuse one
        return open_chat(tier, settings, **options)


def allowed_levels(model: str, profile: Any) -> tuple[str, ...]:
    """The thinking levels of a model as its profile lists them, else by its name; empty when it does not think."""
    if levels := profile.get("reasoning_effort_levels"):
        return tuple(levels)
    return _KNOWN_LEVELS if _thinks(model, profile) else ()


def _thinks(model: str, profile: Any) -> bool:
    known = profile.get("reasoning_output")
    return bool(known) if known is not None else bool(_THINKS.match(model))
