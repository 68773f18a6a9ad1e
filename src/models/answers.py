"""A LangChain message -> our `Reply`. Only attributes are looked at: nothing is imported."""

from dataclasses import replace
from typing import Any

from src.models.tiers import Tier
from src.reply import Finish, Reply, Usage, finish_of, text_of
from src.text import one_line
from src.usage import PriceTable

MAX_CHARACTERS = 4_000_000
"""Longer replies are cut, and count as truncated."""


def reply_of(message: Any, tier: Tier, prices: PriceTable, seconds: float) -> Reply:
    """The reply in `message` to a call that took `seconds`."""
    text = text_of(message.content)
    finish = finish_told(message)
    if len(text) > MAX_CHARACTERS:
        text, finish = text[:MAX_CHARACTERS], "truncated"
    # A lone surrogate, which JSON can carry, would make every later write of the text fail.
    text = text.encode("utf-8", "replace").decode("utf-8")
    model = who_answered(message, tier)
    return Reply(text, finish, usage_of(message, tier, model, prices), model, seconds)


def who_answered(message: Any, tier: Tier) -> str:
    """The model, as its provider names it."""
    return one_line(str(message.response_metadata.get("model_name") or tier.model), 200)


def finish_told(message: Any) -> Finish:
    """Why the model stopped, wherever its provider tells it."""
    metadata: dict[str, Any] = message.response_metadata
    if (metadata.get("prompt_feedback") or {}).get("block_reason") or _refused(message):
        return "blocked"
    # OpenAI's newer endpoint tells it in two fields of its own.
    word = (metadata.get("incomplete_details") or {}).get("reason") or metadata.get("finish_reason")
    return finish_of(str(word or metadata.get("status") or ""))


def _refused(message: Any) -> bool:
    """Whether the model said that it will not, in the place that OpenAI's endpoints have for that."""
    blocks = message.content if isinstance(message.content, list) else []
    kinds = {block.get("type") for block in blocks if isinstance(block, dict)}
    if "refusal" in kinds:
        return kinds.isdisjoint({"text", "output_text"})
    return not message.content and bool(message.additional_kwargs.get("refusal"))


def usage_of(message: Any, tier: Tier, model: str, prices: PriceTable) -> Usage:
    """What the call used, by what its provider told and what `model`, who answered, costs."""
    told: dict[str, Any] = message.usage_metadata or {}
    usage = Usage(
        input_tokens=count_of(told.get("input_tokens")),
        output_tokens=count_of(told.get("output_tokens")),
        reasoning_tokens=count_of((told.get("output_token_details") or {}).get("reasoning")),
        cached_tokens=count_of((told.get("input_token_details") or {}).get("cache_read")),
        cost=dollars_of((message.response_metadata.get("token_usage") or {}).get("cost")),
    )
    # By the model that answered, not the one asked: names such as `gemini-pro-latest` move on.
    return usage if usage.cost is not None else replace(usage, cost=tier.cost_of(model, usage, prices))


def count_of(value: Any) -> int | None:
    """A number of tokens as a provider tells it; `None` when it makes no sense."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def dollars_of(value: Any) -> float | None:
    """A cost as a provider tells it; `None` when it makes no sense."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf"):
        return float(value)
    return None
