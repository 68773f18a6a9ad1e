"""Who serves each role: the table of providers, and the choice among them. Nothing here imports LangChain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Literal, Protocol, cast, get_args
from urllib.parse import urlsplit

from pydantic import SecretStr

from src.config import Settings
from src.errors import ConfigurationError
from src.reply import Usage
from src.setting_types import RoleSettings, ThinkingLevel
from src.state import ROLES, Role
from src.usage import Price, PriceTable

PROVIDERS: dict[str, str] = {
    "gemini": "src.models.gemini:Gemini",
    "openai": "src.models.openai:OpenAI",
    "openrouter": "src.models.openrouter:OpenRouter",
    "compatible": "src.models.compatible:Compatible",
}
"""A new provider is a file in this folder and a line here."""

ELSEWHERE = frozenset({"anthropic", "azure", "bedrock", "cohere", "google", "groq", "ollama", "vertexai", "xai"})
"""Providers that people may think of and that are not in the table. A colon alone is no sign: `llama3:8b` is a name."""

Served = Role | Literal["assistant", "embedding"]
"""What a tier serves: a role of the team, the assistant, who calls tools in the programs of `examples/`, or the search
for lessons by their meaning."""

VARIABLES: dict[Served, str] = {
    "architect": "ARCHITECT",
    "developer": "CODER",
    "debugger": "DEBUGGER",
    "reviewer": "REVIEWER",
    "reader": "READER",
    "assistant": "ASSISTANT",
    "embedding": "EMBEDDING",
}
"""How the variables of a role begin."""

WAYS = """\
GEMINI_API_KEY (or GOOGLE_API_KEY)   Google's Gemini models
OPENROUTER_API_KEY                   OpenRouter, which serves models of many makers
OPENAI_API_KEY                       OpenAI's models, with a model of theirs for each role, such as CODER_MODEL
OPENAI_BASE_URL                      a local OpenAI-compatible server (Ollama, vLLM, llama.cpp, …), such as
                                     http://localhost:11434/v1, with CODER_MODEL=openai:NAME and so on for each role
Set one of them in the environment or in .env.local. Without a model: leave out --prompt to see the scripted example."""
"""The ways to give a run a model, for people."""


@dataclass(frozen=True)
class Tier:
    """Which model serves a role, and how."""

    role: Served
    """Whom it serves."""
    provider: str
    """Name in the table of providers."""
    model: str
    """The model's name as the provider knows it."""
    thinking_level: ThinkingLevel | None
    """How much it may think; `None`: the provider's default."""
    temperature: float | None
    """Sampling temperature; `None`: the provider's default."""
    max_tokens: int
    """Output cap of one call, thinking included."""
    price: Price | None = None
    """What the settings say that it costs; `None`: the price table decides."""

    def cost_of(self, model: str, usage: Usage, prices: PriceTable) -> float | None:
        """Dollars of a call that `model` answered; `None` when the price is unknown."""
        return self.price.cost(usage) if self.price else prices.cost_of(self.provider, model, usage)

    @property
    def variable(self) -> str:
        """How the variables of this tier begin: `ARCHITECT`, `CODER`, …."""
        return VARIABLES[self.role]


class Provider(Protocol):
    """A service that answers chat requests. An implementation imports LangChain only in `connect`."""

    title: str
    """What people call it."""
    key_variable: str
    """What to set to be able to use it."""

    def key(self, settings: Settings) -> SecretStr | None:
        """What proves who we are; `None` when it is not set."""

    def connect(self, tier: Tier, settings: Settings) -> Any:
        """A LangChain chat model with its own retries off.

        Raises `ConfigurationError` for a thinking level that the model does not know.
        """


def provider_called(name: str) -> Provider:
    """The provider of that name in the table."""
    module, _, factory = PROVIDERS[name].partition(":")
    return cast(Callable[[], Provider], getattr(import_module(module), factory))()


def describe_tiers(settings: Settings) -> dict[Role, Tier]:
    """Who would serve each role first, without a check that they can. Cheap: nothing is connected."""
    return {role: tiers[0] for role, tiers in describe_ladders(settings).items()}


def describe_ladders(settings: Settings) -> dict[Role, tuple[Tier, ...]]:
    """Who would serve each role, the tiers that are escalated to included. Cheap."""
    return {role: tuple(_tier(role, name, settings) for name in settings.tier(role).ladder) for role in ROLES}


def describe_fallback(role: Role, settings: Settings) -> Tier | None:
    """Who serves a role when the provider of its tier fails for good."""
    name = settings.tier(role).fallback
    return replace(_tier(role, name, settings), thinking_level=None, price=None) if name else None


def describe_assistant(settings: Settings) -> Tier:
    """Who would serve the assistant. Raises `ConfigurationError` for a provider that does not exist. Cheap."""
    chosen = settings.assistant.beside(settings.coder)
    return _tier_of("assistant", chosen.ladder[0], chosen, settings)


def describe_embedding(settings: Settings) -> Tier | None:
    """Which model would embed lessons. Raises `ConfigurationError` for a provider that does not exist. Cheap."""
    chosen = settings.embedding
    if chosen.model is None:
        return None
    provider, model = choose_provider(chosen.model, settings, "EMBEDDING_MODEL")
    price = None if chosen.price is None else _price(provider, model, f"{chosen.price},0")
    return Tier("embedding", provider, model, None, None, 0, price)


def check_keys(settings: Settings) -> dict[Role, Tier]:
    """The first tiers, each with what its provider needs; to be called before anything else is started.

    Raises `ConfigurationError` that lists the ways to give a run a model.
    """
    ladders = describe_ladders(settings)
    fallbacks = [tier for role in ROLES if (tier := describe_fallback(role, settings))]
    reached = [name for name in PROVIDERS if provider_called(name).key(settings)]
    if not reached:
        raise ConfigurationError("No model can be reached: no key is set.", WAYS)
    lines = []
    for tier in (*(tier for tiers in ladders.values() for tier in tiers), *fallbacks):
        if tier.role == "reader" and settings.reader.model is None:
            continue  # told with the reviewer, whose model it is
        provider = provider_called(tier.provider)
        if provider.key(settings) is None:
            setting = "FALLBACK" if tier in fallbacks else "MODEL"
            served = f"{tier.variable}_{setting}={tier.model} is served by {provider.title}"
            lines.append(f"{served}, but {provider.key_variable} is not set.")
    if lines:
        raise ConfigurationError(
            "\n".join(lines),
            "Set what is missing in the environment or in .env.local, or choose a model that can be reached: "
            f"{' or '.join(f'{name}:NAME' for name in reached)}.",
        )
    return {role: tiers[0] for role, tiers in ladders.items()}


def _tier(role: Role, name: str, settings: Settings) -> Tier:
    return _tier_of(role, name, settings.tier(role), settings)


def _tier_of(served: Served, name: str, chosen: RoleSettings, settings: Settings) -> Tier:
    provider, model = choose_provider(name, settings, f"{VARIABLES[served]}_MODEL")
    price = _price(provider, model, chosen.price) if chosen.price else None
    return Tier(served, provider, model, chosen.thinking_level, chosen.temperature, chosen.max_tokens, price)


def _price(provider: str, model: str, given: str) -> Price:
    read, written = (float(part) for part in given.split(","))
    return Price(provider=provider, model=model, as_of=datetime.now(UTC).date(), input=read, output=written)


def check_level(tier: Tier, allowed: Sequence[str]) -> None:
    """Raise `ConfigurationError` when a model does not know its tier's thinking level."""
    if tier.thinking_level is None or tier.thinking_level in allowed:
        return
    known = [level for level in get_args(ThinkingLevel) if level in allowed]
    name = f"{tier.variable}_THINKING_LEVEL"
    takes = f"takes one of: {', '.join(known)}" if known else "takes no thinking level"
    raise ConfigurationError(
        f"{name}={tier.thinking_level}: {tier.provider}:{tier.model} {takes}.",
        f"Set {name} to one of these, or to default: then the provider decides."
        if known
        else f"Set {name}=default, or choose another {tier.variable}_MODEL.",
    )


def choose_provider(name: str, settings: Settings, variable: str = "the model") -> tuple[str, str]:
    """Split `provider:model`; for a bare name choose the provider by the keys that are there.

    OpenRouter when its key is there and the name has a `/` or there is no Gemini key; else Gemini when the name
    contains "gemini" or a Gemini key is there; else OpenAI. Where OPENAI_BASE_URL is set, OpenAI means that server.
    Raises `ConfigurationError` for a provider that does not exist.
    """
    prefix, colon, rest = name.partition(":")
    if colon and prefix in PROVIDERS:
        if not rest:
            raise ConfigurationError(f"{variable}={name} names a provider but no model.")
        return _openai_or_server(prefix, settings), rest
    if colon and (prefix in ELSEWHERE or get_close_matches(prefix, PROVIDERS, cutoff=0.75)):
        raise ConfigurationError(
            f"{variable}={name}: there is no provider {prefix!r}.",
            f"Choose one of: {', '.join(PROVIDERS)}. A local server is reached with OPENAI_BASE_URL and openai:NAME.",
        )
    provider = _openai_or_server(_by_keys(name, settings), settings)
    # Names at Gemini and OpenAI hold no colon (but for OpenAI's fine-tuned models), so this is a slip of the pen.
    if colon and provider in ("gemini", "openai") and prefix != "ft":
        raise ConfigurationError(
            f"{variable}={name}: there is no provider {prefix!r}.", f"Choose one of: {', '.join(PROVIDERS)}."
        )
    return provider, name


def _by_keys(name: str, settings: Settings) -> str:
    if settings.openrouter_api_key and ("/" in name or not settings.gemini_api_key):
        return "openrouter"
    if "gemini" in name.lower() or settings.gemini_api_key:
        return "gemini"
    return "openai"


def _openai_or_server(provider: str, settings: Settings) -> str:
    if provider == "openai" and settings.openai_base_url and not is_openai(settings.openai_base_url):
        return "compatible"
    return provider


def is_openai(url: str) -> bool:
    """Whether an address is OpenAI's own: it refuses some of what other servers need."""
    host = urlsplit(url).hostname or ""
    return host == "openai.com" or host.endswith(".openai.com")
