"""Google's Gemini models."""

import logging
import re
from typing import Any

from pydantic import SecretStr

from src.config import Settings
from src.models.answers import MAX_CHARACTERS
from src.models.tiers import Tier, check_level
from src.reply import text_of

ADDRESS = "https://generativelanguage.googleapis.com"
"""Given to the client in so many words, so that no variable of its own changes it."""

_BUDGETS = {"none": 0, "minimal": 512, "low": 1024, "medium": 8192, "high": 24576}
"""Gemini 2.5 takes a number of tokens in place of a level. All lie within the limits of Pro, Flash and Flash-Lite."""

_FOUR = ("minimal", "low", "medium", "high")
_LEVELS = {"gemini-3.7-flash": _FOUR[1:], "gemini-3.8-flash": _FOUR[1:]}
"""Of models that the client's table lists without their levels."""

_FIXED_SAMPLING = ("gemini-3.5-flash-lite", "gemini-3.6-flash")
"""These ignore a temperature, and the client warns about one."""


class Gemini:
    """The Gemini API (not Vertex AI)."""

    title = "Gemini"
    key_variable = "GEMINI_API_KEY (or GOOGLE_API_KEY)"

    def key(self, settings: Settings) -> SecretStr | None:
        """The key from the settings."""
        return settings.gemini_api_key

    def connect(self, tier: Tier, settings: Settings) -> Any:
        """A `ChatGoogleGenerativeAI`; see `Provider.connect`."""
        from langchain_google_genai import ChatGoogleGenerativeAI

        chat = ChatGoogleGenerativeAI(
            model=tier.model,
            api_key=settings.gemini_api_key,
            base_url=settings.gemini_base_url or ADDRESS,
            api_version=settings.gemini_api_version,
            vertexai=False,
            temperature=None if _bare(tier.model) in _FIXED_SAMPLING else tier.temperature,
            max_output_tokens=tier.max_tokens,
            timeout=settings.model_timeout,
            max_retries=1,
            **_thinking(tier),
        )
        check_level(tier, allowed_levels(tier.model, chat.profile or {}))
        # An empty reply, which the client logs on the terminal, is told by us.
        logging.getLogger("langchain_google_genai").setLevel(logging.ERROR)
        return StreamedChat(chat)


class StreamedChat:
    """Asks for a stream and hands back the whole message.

    Not streamed, the client strips the line ends from every part of a reply, which joins lines of code where a reply
    has several parts.
    """

    def __init__(self, chat: Any) -> None:
        self._chat = chat

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        """The client bound to tools; what it was bound with goes to `invoke` as options."""
        return self._chat.bind_tools(tools, **options)

    def invoke(self, messages: Any, **options: Any) -> Any:
        """The whole reply. Raises `ConnectionError` when the stream ends before the reply does."""
        chunks: list[Any] = []
        length = 0
        for chunk in self._chat.stream(messages, **options):
            chunks.append(chunk)
            length += len(text_of(chunk.content))
            if length > MAX_CHARACTERS:
                return chunks[0] + chunks[1:]  # too long, and cut by who reads it
        whole = chunks[0] + chunks[1:]
        metadata = whole.response_metadata
        if not metadata.get("finish_reason") and not metadata.get("prompt_feedback"):
            raise ConnectionError("the stream ended before the reply did")
        return whole


def allowed_levels(model: str, profile: Any) -> tuple[str, ...]:
    """The thinking levels of a model, as its profile lists them, else by its version; empty when it does not think."""
    if levels := profile.get("reasoning_effort_levels") or _LEVELS.get(_bare(model)):
        return tuple(levels)
    version = _version(model)
    if profile.get("reasoning_output") is False or "gemma" in model or (version is not None and version < (2, 5)):
        return ()
    if version == (2, 5) and "pro" not in model:
        return ("none", *_FOUR)
    return _FOUR


def _thinking(tier: Tier) -> dict[str, Any]:
    level = tier.thinking_level
    if level is not None and _version(tier.model) == (2, 5):
        return {"thinking_budget": _BUDGETS[level]}
    # The client refuses words that it does not know before `check_level` can name the variable.
    return {"thinking_level": level} if level in _FOUR else {}


def _version(model: str) -> tuple[int, int] | None:
    found = re.search(r"gemini-(\d+)(?:\.(\d+))?", model)
    return (int(found[1]), int(found[2] or 0)) if found else None


def _bare(model: str) -> str:
    return model.rpartition("/")[2]
