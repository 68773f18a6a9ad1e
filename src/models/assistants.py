"""Who answers in a program whose agents call tools: a real model where there is a key for it, a script otherwise."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from src.config import Settings
from src.models.tiers import describe_assistant, provider_called
from src.reply import Usage
from src.text import count

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


@dataclass(frozen=True)
class Assistants:
    """The models of a program's agents."""

    told: str
    """Who answers, in a line for people."""
    scripted: bool
    """Whether it is a script."""
    chat: "Callable[[str], BaseChatModel]"
    """The model of an agent by its name, such as `supervisor`."""
    used: Callable[[], tuple[Usage, ...]]
    """What each call so far has used; none of a script's."""

    def spent(self) -> str:
        """What was used, in a line for people; empty when no model was called."""
        calls = self.used()
        if not calls:
            return ""
        read, written = sum(call.input_tokens or 0 for call in calls), sum(call.output_tokens or 0 for call in calls)
        costs = [call.cost for call in calls if call.cost is not None]
        cost = f"${sum(costs):.4f}" if len(costs) == len(calls) else "cost unknown"
        return f"{count(len(calls), 'call')} to the model, {read:,} tokens read, {written:,} written, {cost}."


def choose_chat(
    settings: Settings,
    script: Path,
    *,
    replay: bool = False,
    notice: Callable[[str], None] | None = None,
    interrupted: "Future[None] | None" = None,
) -> Assistants:
    """A real model when the key of the assistant's tier is set and `replay` is not, `script` otherwise.

    `notice` is told in a line about each wait for the provider. Once `interrupted` is done, which is what
    `src.cli.interrupt.stoppable` gives, no thread waits for it any more. Raises `ConfigurationError` for a tier that
    cannot be used or a script that cannot be read.
    """
    return _scripted(script) if replay else _reached(settings, notice, interrupted) or _scripted(script, settings)


def _reached(
    settings: Settings, notice: Callable[[str], None] | None, interrupted: "Future[None] | None"
) -> Assistants | None:
    """The model of the assistant's tier; `None` where its key is not set."""
    tier = describe_assistant(settings)
    provider = provider_called(tier.provider)
    if provider.key(settings) is None:
        return None
    from src.models.chat import open_chat_model

    model = open_chat_model(settings, notice and (lambda _who, line: notice(line)), interrupted)
    return Assistants(f"{tier.model} ({provider.title}) answers.", False, lambda _who: model, lambda: model.used)


def _scripted(script: Path, settings: Settings | None = None) -> Assistants:
    """The script; with `settings` it is told what a model would need."""
    from src.models.scripted import ScriptedChat, load_script

    replies, told = load_script(script), "Scripted replies answer; no model is called."
    if settings:
        tier = describe_assistant(settings)
        key = provider_called(tier.provider).key_variable
        told += f" A model answers where {key} is set (ASSISTANT_MODEL={tier.model})."
    return Assistants(told, True, lambda who: ScriptedChat(who=who, replies=replies), tuple)
