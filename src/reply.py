"""One reply of a model as plain data, whoever the provider was."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Finish = Literal["complete", "truncated", "blocked", "unknown"]
"""Why the model stopped: by itself, at a token limit, by a safety filter, or not told."""

Content = str | list[Any] | None
"""The shapes in which providers send text: plain, a list of content blocks, nothing."""

_FINISH_WORDS: dict[Finish, frozenset[str]] = {
    "complete": frozenset(
        {"stop", "end_turn", "stop_sequence", "eos", "eos_token", "end", "endoftext", "complete", "completed", "done"}
        | {"finish", "finished", "success", "tool_calls", "tool_call", "tool_use", "function_call"}
    ),
    "truncated": frozenset(
        {
            "length",
            "max_tokens",
            "max_output_tokens",
            "max_completion_tokens",
            "max_length",
            "model_length",
            "incomplete",
        }
        | {"model_context_window_exceeded", "context_length_exceeded", "token_limit", "timeout"}
        | {"error", "abort", "aborted", "cancelled", "pause_turn"}
    ),
    "blocked": frozenset(
        {"content_filter", "content_filtered", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
        | {"refusal", "language", "image_safety", "guardrail_intervened", "error_toxic", "blocked"}
    ),
}


def finish_of(word: str | None) -> Finish:
    """Translate a provider's finish reason (`STOP`, `length`, `FinishReason.MAX_TOKENS`, `end_turn`, …) into ours.

    A reply that an error or a timeout broke off counts as truncated: what came may be half a module.
    """
    plain = (word or "").strip().lower().rpartition(".")[2].removeprefix("finish_reason_").replace("-", "_")
    return next((finish for finish, words in _FINISH_WORDS.items() if plain in words), "unknown")


MAX_TEXT = 4_000_000
"""Longest text of a reply that is kept, in characters; no honest reply comes near it."""
_TEXT_BLOCKS = ("text", "output_text", "refusal", "message")
_MAX_DEPTH = 5
_OPENING_MARKS = ("```", "~~~")


def text_of(content: Content) -> str:
    """The visible text of a reply: text blocks joined, thinking, tool calls and other blocks left out.

    It is bounded, and such that every UTF-8 writer takes it (lone surrogates become question marks).
    Blocks may be pieces of one line, so nothing is put between them, except before a fence, which needs its own line.
    """
    if content is None:
        return ""
    text = content if isinstance(content, str) else _joined(content)
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _joined(content: list[Any]) -> str:
    text = ""
    for block in content:
        part = _block_text(block, 0)
        glued = bool(text) and not text.endswith("\n") and part.startswith(_OPENING_MARKS)
        text += "\n" + part if glued else part
    return text


def _block_text(block: Any, depth: int) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or block.get("type", "text") not in _TEXT_BLOCKS or block.get("thought") is True:
        return ""
    for key in ("text", "refusal", "content", "value"):
        inner = block.get(key)
        if isinstance(inner, str):
            return inner
        if isinstance(inner, list) and depth < _MAX_DEPTH:
            return "".join(_block_text(part, depth + 1) for part in inner)
        if isinstance(inner, dict) and depth < _MAX_DEPTH:
            return _block_text(inner, depth + 1)
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
class WorstCase:
    """What a request could use at most."""

    tokens: int
    """Tokens read and written."""
    cost: float | None
    """Dollars; `None` when the price is unknown."""
    model: str = ""
    """The model that would be asked."""


class Permit(Protocol):
    """Asked for before a request is sent once more."""

    def __call__(self, *, billed: bool) -> None:
        """`billed`: whether money may be asked for the attempt that failed. Raises when no other may be made."""


def permitted(*, billed: bool) -> None:  # nobody counts
    """The permit where nobody counts."""


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
    in_place_of: str = ""
    """Why another provider answered than the one of the tier; empty when it was that one."""


@dataclass(frozen=True)
class Embedded:
    """What came back from one call to an embedding model."""

    vectors: Sequence[Sequence[float]]
    """One for each text, in their order; all of one length, none of them zero."""
    reply: Reply
    """What the call used; without a text."""
