"""OpenRouter: one key for models of many makers."""

from typing import Any

from pydantic import SecretStr

from src.config import Settings
from src.models.compatible import open_chat
from src.models.tiers import Tier


class OpenRouter:
    """OpenRouter's chat endpoint."""

    title = "OpenRouter"
    key_variable = "OPENROUTER_API_KEY"

    def key(self, settings: Settings) -> SecretStr | None:
        """The key from the settings."""
        return settings.openrouter_api_key

    def connect(self, tier: Tier, settings: Settings) -> Any:
        """A `ChatOpenAI`; OpenRouter translates the thinking level for each maker, and tells what a call cost."""
        body: dict[str, Any] = {"max_tokens": tier.max_tokens, "usage": {"include": True}}
        if tier.thinking_level is not None:
            # `exclude`: thoughts are paid for but not sent, since nobody reads them.
            body["reasoning"] = {"effort": tier.thinking_level, "exclude": True}
        return open_chat(
            tier,
            settings,
            api_key=settings.openrouter_api_key,
            base_url=settings.openrouter_base_url,
            temperature=tier.temperature,
            default_headers={"X-Title": "selfheal"},
            extra_body=body,
        )
