"""Embedding models, by provider: texts as vectors, so that lessons are found by what they mean."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import SecretStr

from src.config import Settings
from src.errors import ConfigurationError
from src.ledger import Embedder
from src.models.answers import count_of, dollars_of
from src.models.gemini import ADDRESS as GEMINI
from src.models.openai import ADDRESS as OPENAI
from src.models.sending import Notice, Sender
from src.models.tiers import Tier, describe_embedding, provider_called
from src.reply import Embedded, Permit, Reply, Usage, WorstCase, permitted
from src.usage import PriceTable, load_prices

FRAME_TOKENS = 16
"""Tokens that a provider puts around one text at most."""
MAX_NUMBERS = 16_384
"""Numbers of a vector at most; no model gives as many."""
DIMENSIONS = 768
"""Numbers of a Gemini vector: four times as many, its default, tell hardly more."""

Send = Callable[[list[str]], tuple[list[list[float]], Usage]]
"""Sends one request. Clients' own methods for that throw the token counts away."""


class EmbeddingModel:
    """An embedding model of a provider. Safe in threads."""

    def __init__(self, tier: Tier, send: Send, sender: Sender, prices: PriceTable) -> None:
        self.name = f"{tier.provider}:{tier.model}"
        self._tier = tier
        self._send = send
        self._sender = sender
        self._prices = prices

    def embed(self, texts: Sequence[str], permit: Permit = permitted) -> Embedded:
        """A vector for each text; `permit` is asked before each attempt but the first. Raises a `ModelFault`."""
        # Text from tests can hold lone surrogates, which no JSON request can carry.
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        begun = time.monotonic()
        vectors, usage = self._sender.send(lambda: self._checked(clean), permit)
        if usage.cost is None:
            cost = self._tier.cost_of(self._tier.model, usage, self._prices)
            usage = Usage(usage.input_tokens, usage.output_tokens, cost=cost)
        return Embedded(vectors, Reply("", "complete", usage, self._tier.model, time.monotonic() - begun))

    def _checked(self, texts: list[str]) -> tuple[list[list[float]], Usage]:
        vectors, usage = self._send(texts)
        if not _sound(vectors, len(texts)):
            raise ValueError("not one vector for each text")
        return vectors, usage

    def worst_case(self, texts: Sequence[str]) -> WorstCase:
        """What one request could use: no token is shorter than a byte."""
        read = sum(len(text.encode("utf-8", "replace")) + FRAME_TOKENS for text in texts)
        cost = self._tier.cost_of(self._tier.model, Usage(input_tokens=read, output_tokens=0), self._prices)
        return WorstCase(read, cost, self._tier.model)


def open_embedder(
    settings: Settings, sleep: Callable[[float], None] = time.sleep, notice: Notice | None = None
) -> Embedder | None:
    """The model of EMBEDDING_MODEL; `None` when none is set. Calls nobody; takes seconds: its client is imported here.

    Raises `ConfigurationError` for a key that is missing.
    """
    tier = describe_embedding(settings)
    if tier is None:
        return None
    provider = provider_called(tier.provider)
    key = provider.key(settings)
    if key is None:
        raise ConfigurationError(
            f"EMBEDDING_MODEL={tier.model} is served by {provider.title}, but {provider.key_variable} is not set.",
            "Set it in the environment or in .env.local; without EMBEDDING_MODEL lessons are found by words.",
        )
    send = CLIENTS[tier.provider](tier, settings, key)
    return EmbeddingModel(tier, send, Sender(tier, settings, sleep, notice), load_prices(settings.prices_file))


def _gemini(tier: Tier, settings: Settings, key: SecretStr) -> Send:
    from google.genai.types import EmbedContentConfig
    from langchain_google_genai import GoogleGenerativeAIEmbeddings

    client = GoogleGenerativeAIEmbeddings(
        model=tier.model,
        api_key=key,
        base_url=settings.gemini_base_url or GEMINI,
        api_version=settings.gemini_api_version,
        vertexai=False,
        client_args={"timeout": settings.model_timeout},
    ).client
    config = EmbedContentConfig(task_type="SEMANTIC_SIMILARITY", output_dimensionality=DIMENSIONS)

    def send(texts: list[str]) -> tuple[list[list[float]], Usage]:
        contents = [{"parts": [{"text": text}]} for text in texts]
        answer = client.models.embed_content(model=tier.model, contents=contents, config=config)
        read = getattr(answer.usage_metadata, "prompt_token_count", None)
        usage = Usage() if read is None else Usage(read, 0)
        return [list(one.values or ()) for one in answer.embeddings or ()], usage

    return send


def _openai(tier: Tier, settings: Settings, key: SecretStr) -> Send:
    return _by_openais_protocol(tier, settings, key, settings.openai_base_url or OPENAI)


def _openrouter(tier: Tier, settings: Settings, key: SecretStr) -> Send:
    return _by_openais_protocol(tier, settings, key, settings.openrouter_base_url)


def _by_openais_protocol(tier: Tier, settings: Settings, key: SecretStr, url: str) -> Send:
    from langchain_openai import OpenAIEmbeddings

    client: Any = OpenAIEmbeddings(
        model=tier.model,
        api_key=key,
        base_url=url,
        timeout=settings.model_timeout,
        max_retries=0,
        check_embedding_ctx_length=False,
    ).client

    def send(texts: list[str]) -> tuple[list[list[float]], Usage]:
        answer = client.create(model=tier.model, input=texts, encoding_format="float")
        read, cost = (getattr(answer.usage, name, None) for name in ("prompt_tokens", "cost"))
        usage = Usage() if read is None else Usage(count_of(read), 0, cost=dollars_of(cost))
        return [one.embedding for one in sorted(answer.data, key=lambda one: one.index)], usage

    return send


CLIENTS: dict[str, Callable[[Tier, Settings, SecretStr], Send]] = {
    "gemini": _gemini,
    "openai": _openai,
    "openrouter": _openrouter,
    "compatible": _openai,
}
"""By the provider's name in its table."""


def _sound(vectors: Any, number: int) -> bool:
    """Whether there are so many vectors, all of one length and with a direction."""
    if len(vectors) != number or len({len(vector) for vector in vectors}) != 1 or len(vectors[0]) > MAX_NUMBERS:
        return False
    return all(_is_direction(vector) for vector in vectors)


def _is_direction(vector: Sequence[Any]) -> bool:
    return all(isinstance(one, (int, float)) for one in vector) and 1e-30 < math.hypot(*vector) < 1e30
