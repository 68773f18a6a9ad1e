"""What is asked of a person: the shape of the question, and the check of the answer. Plain data, as it lies in a pause.

A node asks by `interrupt(approval.model_dump())`; the answer that comes back has passed `decided` or `taken`, so that a
malformed one never reaches the run and the question stays open.

There are two kinds of questions: one that is answered in words (`options`, `free_text`), and one that is decided
(`decisions`): whether a text is approved, edited, sent back with notes or given up, or what becomes of a case.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from src.errors import ConfigurationError
from src.text import clean

MAX_ANSWER = 2_000
"""Longest answer, in characters."""
MAX_NOTES = 10_000
"""Longest notes, in characters."""
MAX_SENT_BACK = 3
"""How often a person may send back what an author came to."""
MAX_EDITS = 20
"""How often a person may hand in a text in place of that."""
MAX_TEXT = 400_000
"""Longest text that a person may hand in, in characters."""

Verb = Literal["approve", "edit", "reject", "abort"]
"""`approve`: go on with the text. `edit`: with another one, if the gates let it through. `reject`: its author writes it
again, with notes. `abort`: the run ends. A question about something else than a text has words of its own."""
Word = Annotated[str, Field(pattern=r"^[a-z]{1,20}$")]
"""A decision as it is typed."""


class Approval(BaseModel):
    """A question to a person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    matter: str = Field(pattern=r"^[a-z_]{1,40}$")
    """What is to be decided, in a word: `assumption`, `code`, …."""
    question: str
    """The question, in one line."""
    about: str = ""
    """Which of several things that wait at once it is about, by its name; empty: there is one alone."""
    developer: int = 0
    """Which of several developers it is about; 0: there is one alone, or it is about something else."""
    background: str = ""
    """What one must know to answer."""
    options: tuple[str, ...] = Field(default=(), max_length=26)
    """Answers to choose from."""
    free_text: bool = False
    """Whether an answer in other words is allowed."""
    decisions: tuple[Word, ...] = Field(default=(), max_length=10)
    """What may be decided; empty for a question that is answered in words."""
    meanings: dict[str, str] = Field(default_factory=dict)
    """What follows from a decision, in a few words; absent where its `Verb` says it."""
    explained: tuple[Word, ...] = ("reject",)
    """Decisions that need notes."""
    texts: dict[str, str] = Field(default_factory=dict)
    """The texts by their names; each may be edited."""
    reasons: tuple[str, ...] = ()
    """Why a gate refused the text."""
    difference: str = ""
    """What changed, as a unified difference."""
    edited: dict[str, str] = Field(default_factory=dict)
    """A person's latest edit, when it was refused."""
    edit_refused: tuple[str, ...] = ()
    """Why that was refused."""


class Decision(BaseModel):
    """What a person decided."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    decision: Word
    """What is to become of it."""
    notes: str = ""
    """What the author is told, or why."""
    texts: dict[str, str] = Field(default_factory=dict)
    """Texts in place of those that were shown, by their names."""


Answer = str | Decision
"""An answer in words, or a decision."""


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
    if approval.decisions:
        raise ConfigurationError("This is decided, not answered in words.", ways(approval))
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


def taken(approval: Approval, given: Any) -> Decision:
    """A decision as the run takes it, its notes cleaned and of its texts only those that changed.

    `given`: a `Decision`, or one as plain data. Raises `ConfigurationError` for one that is malformed or not allowed;
    the question stays open then.
    """
    try:
        decision = Decision.model_validate(given)
    except ValidationError as error:
        told = error.errors(include_url=False)[0]["msg"]
        raise ConfigurationError(f"The decision cannot be read: {told}.", ways(approval)) from None
    if decision.decision not in approval.decisions:
        raise ConfigurationError(f"{decision.decision} is not one of the decisions here.", ways(approval))
    if len(decision.notes) > MAX_NOTES:
        raise ConfigurationError(f"The notes are longer than {MAX_NOTES} characters.")
    notes = clean(decision.notes).strip()
    if decision.decision in approval.explained and not notes:
        raise ConfigurationError("Notes are missing: they tell the author what to do otherwise.", ways(approval))
    return Decision(decision=decision.decision, notes=notes, texts=_changed(approval, decision))


def _changed(approval: Approval, decision: Decision) -> dict[str, str]:
    """The texts of an edit that differ from those that were shown. Raises `ConfigurationError`."""
    if decision.decision != "edit":
        if decision.texts:
            raise ConfigurationError(f"A text belongs to an edit, not to {decision.decision}.", ways(approval))
        return {}
    if not decision.texts:
        raise ConfigurationError(f"An edit needs a new text of: {', '.join(approval.texts)}.", ways(approval))
    for name, text in decision.texts.items():
        if name not in approval.texts:
            known = ", ".join(approval.texts)
            raise ConfigurationError(f"{name[:40]!r} is not what is decided here; it is about: {known}.")
        if not text.strip() or "\0" in text or len(text) > MAX_TEXT:
            raise ConfigurationError(f"The {name} is empty, no text, or longer than {MAX_TEXT:,} characters.")
    changed = {name: _encodable(text) for name, text in decision.texts.items() if text != approval.texts[name]}
    if not changed:
        raise ConfigurationError("The edit changes nothing.", ways(approval))
    return changed


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def ways(approval: Approval) -> str:
    """The answers that are allowed, a line each."""
    if approval.decisions:
        return f"Decisions: {', '.join(approval.decisions)}."
    lines = [f"{letter}) {option}" for letter, option in letters(approval).items()]
    return "\n".join([*lines, *(["or an answer in your own words"] if approval.free_text else [])])


def _same_words(approval: Approval, text: str) -> str | None:
    return next((option for option in approval.options if option.lower() == text.lower()), None)
