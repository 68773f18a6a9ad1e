"""One reply of a model as plain data, whoever the provider was."""

from dataclasses import dataclass, field
from typing import Any, Literal

Finish = Literal["complete", "truncated", "blocked", "unknown"]
"""Why the model stopped: by itself, at a token limit, by a safety filter, or not told."""

Content = str | list[Any] | None
"""The shapes in which providers send text: plain, a list of content blocks, nothing."""

_FINISH_WORDS: dict[str, Finish] = {
    "stop": "complete",
    "end_turn": "complete",
    "stop_sequence": "complete",
    "length": "truncated",
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "blocked",
    "safety": "blocked",
    "recitation": "blocked",
    "prohibited_content": "blocked",
    "blocklist": "blocked",
    "spii": "blocked",
    "refusal": "blocked",
}


def finish_of(word: str | None) -> Finish:
    """Translate a provider's finish reason (`STOP`, `length`, `MAX_TOKENS`, `end_turn`, …) into ours."""
    return _FINISH_WORDS.get((word or "").strip().lower(), "unknown")


def text_of(content: Content) -> str:
    """The visible text of a reply: text blocks joined, thinking and other blocks left out."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(_block_text(block) for block in content)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type", "text") in ("text", "output_text"):
        text = block.get("text")
        return text if isinstance(text, str) else ""
    return ""


@dataclass(frozen=True)
class Usage:
    """Tokens and dollars of one call. `None` means that the provider did not say, or that the price is unknown."""

    input_tokens: int | None = None
    """Tokens read, cached ones included."""
    output_tokens: int | None = None
    """Tokens written, thinking included."""
    reasoning_tokens: int | None = None
    """The part of `output_tokens` that was thinking."""
    cached_tokens: int | None = None
    """The part of `input_tokens` that came from the provider's cache."""
    cost: float | None = None
    """Dollars, or `None` when the price is unknown (never zero for unknown)."""


@dataclass(frozen=True)
class Reply:
    """What came back from one call."""

    text: str
    """Visible text; empty when there was none."""
    finish: Finish = "unknown"
    """Why the model stopped."""
    usage: Usage = field(default_factory=Usage)
    """What the call used."""
    model: str = ""
    """The model that answered, as the provider names it."""
    seconds: float = 0.0
    """Wall-clock seconds of the call, retries included."""
