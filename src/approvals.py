"""What is asked of a person: the shape of the question, and the check of the answer. Plain data, as it lies in a pause.

A node asks by `interrupt(approval.model_dump())`; the answer that comes back has passed `decided`, so that a malformed
one never reaches the run and the question stays open.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from src.errors import ConfigurationError
from src.text import clean

MAX_ANSWER = 2_000
"""Longest answer, in characters."""

Matter = Literal["assumption"]
"""What is to be decided."""


class Approval(BaseModel):
    """A question to a person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    matter: Matter
    """What is to be decided."""
    question: str
    """The question, in one line."""
    background: str = ""
    """What one must know to answer."""
    options: tuple[str, ...] = Field(max_length=26)
    """Answers to choose from."""
    free_text: bool = False
    """Whether an answer in other words is allowed."""


def pending(value: Any) -> Approval:
    """The question that lies in a pause. Raises `ConfigurationError` for what this version cannot ask."""
    try:
        return Approval.model_validate(value)
    except ValidationError:
        raise ConfigurationError(
            "The run waits for an answer to something that this version cannot ask.",
            "Resume it with the version that started it.",
        ) from None


def letters(approval: Approval) -> dict[str, str]:
    """The options by the letter that chooses them."""
    return {chr(ord("a") + number): option for number, option in enumerate(approval.options)}


def decided(approval: Approval, answer: str) -> str:
    """The answer as the run takes it: an option by its letter or its words, or other words where those are allowed.

    Raises `ConfigurationError` for an answer that is empty, too long or not allowed; the question stays open then.
    """
    text = " ".join(clean(answer[: MAX_ANSWER + 1]).split())
    by_letter = letters(approval)
    chosen = by_letter.get(text.lower().rstrip(".)")) or _same_words(approval, text)
    if chosen is not None:
        return chosen
    if not text:
        raise ConfigurationError("The answer is empty.", ways(approval))
    if len(answer) > MAX_ANSWER:
        raise ConfigurationError(f"The answer is longer than {MAX_ANSWER} characters.", ways(approval))
    if not approval.free_text:
        raise ConfigurationError(f"{text[:80]!r} is not one of the answers.", ways(approval))
    return text


def ways(approval: Approval) -> str:
    """The answers that are allowed, a line each."""
    lines = [f"{letter}) {option}" for letter, option in letters(approval).items()]
    return "\n".join([*lines, *(["or an answer in your own words"] if approval.free_text else [])])


def _same_words(approval: Approval, text: str) -> str | None:
    return next((option for option in approval.options if option.lower() == text.lower()), None)
