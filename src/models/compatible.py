"""Any server that speaks OpenAI's chat protocol: Ollama, vLLM, llama.cpp, LM Studio, a company's gateway."""

from typing import Any

from pydantic import SecretStr

from src.config import Settings
from src.models.tiers import Tier


class Compatible:
    """The server at OPENAI_BASE_URL."""

    title = "the OpenAI-compatible server"
    key_variable = "OPENAI_BASE_URL"

    def key(self, settings: Settings) -> SecretStr | None:
        """OPENAI_API_KEY, or a placeholder: most servers of one's own ask for none, the client insists on one."""
        if settings.openai_base_url is None:
            return None
        return settings.openai_api_key or SecretStr("none")

    def connect(self, tier: Tier, settings: Settings) -> Any:
        """A `ChatOpenAI`; the thinking level is sent as it is, for what a model knows only its server can tell."""
        return open_chat(
            tier,
            settings,
            api_key=self.key(settings),
            base_url=settings.openai_base_url,
            temperature=tier.temperature,
            reasoning_effort=tier.thinking_level,
            extra_body={"max_tokens": tier.max_tokens},
        )


def open_chat(tier: Tier, settings: Settings, **options: Any) -> Any:
    """A `ChatOpenAI` for a server of others: chat completions only, no streaming, no retries of its own.

    The client names the output cap `max_completion_tokens`; many servers read `max_tokens` alone, so callers send
    that as well in `extra_body`.
    """
    from langchain_openai import ChatOpenAI

    fixed: dict[str, Any] = {
        "model": tier.model,
        "max_tokens": tier.max_tokens,
        "timeout": settings.model_timeout,
        "max_retries": 0,
        "disable_streaming": True,
        "use_responses_api": False,
    }
    return ChatOpenAI(**(fixed | options))
