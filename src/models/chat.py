"""The assistant's model as a LangChain chat model, for agents that call tools or want structured output.

It is asked as the models of the roles are: sent again where that may help, given up in time, every fault one of ours.
"""

from collections.abc import Callable, Sequence, Set
from concurrent.futures import Future
from contextvars import Context
from threading import Lock
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from src.config import Settings
from src.errors import ConfigurationError
from src.models.answers import MAX_CHARACTERS, finish_told, usage_of, who_answered
from src.models.build import connect
from src.models.sending import Notice, Sender
from src.models.tiers import Tier, describe_assistant, provider_called
from src.reply import Usage
from src.usage import PriceTable, load_prices

KEPT_METADATA = ("finish_reason", "model_provider", "status")
"""What is kept of a reply's metadata; the rest holds clients' own classes, which no checkpoint should."""


class AssistantChat(BaseChatModel):
    """A provider's chat model behind the house's rules. Safe in threads. Raises a `ModelFault` when no reply is had.

    What comes back is bounded and can be saved. Tool calls of a reply that was cut are invalid: their arguments may be
    half of what was meant.
    """

    tier: Any
    """Which model answers, and how (`Tier`)."""
    client: Any
    """The provider's client."""
    sender: Any
    """Sends the requests (`Sender`)."""
    prices: Any
    """What models cost (`PriceTable`)."""
    _used: list[Usage] = PrivateAttr(default_factory=list)
    _lock: Any = PrivateAttr(default_factory=Lock)

    @property
    def used(self) -> tuple[Usage, ...]:
        """What each call so far has used."""
        with self._lock:
            return tuple(self._used)

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The same model with tools, in the form that the provider takes them in."""
        choice = {} if tool_choice is None else {"tool_choice": tool_choice}
        return self.bind(**self.client.bind_tools(tools, **choice, **kwargs).kwargs)

    @property
    def _llm_type(self) -> str:
        return "selfheal-assistant"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002  # nothing is streamed
        **kwargs: Any,
    ) -> ChatResult:
        tier: Tier = self.tier
        options = kwargs if stop is None else {**kwargs, "stop": stop}
        clean = [message.model_copy(update={"content": encodable(message.content)}) for message in messages]
        known = {call["id"] for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}

        def request() -> tuple[AIMessage, Usage]:
            # In a context without callbacks: this call is told to them already, and would be once more by the client.
            answer = Context().run(self.client.invoke, clean, **options)
            return _as_message(answer, tier, known), usage_of(answer, tier, who_answered(answer, tier), self.prices)

        message, usage = self.sender.send(request)
        with self._lock:
            self._used.append(usage)
        return ChatResult(generations=[ChatGeneration(message=message)])


def open_chat_model(
    settings: Settings, notice: Notice | None = None, interrupted: "Future[None] | None" = None
) -> AssistantChat:
    """The model of the assistant's tier (ASSISTANT_*; what is not set is the developer's). Takes seconds.

    Of a ladder it is the first, and it has no fallback. `notice` is told about each wait between attempts. Once
    `interrupted` is done, no thread waits for a reply any more. Raises `ConfigurationError` for a key that is missing
    or a thinking level that the model does not know.
    """
    tier = describe_assistant(settings)
    provider = provider_called(tier.provider)
    if provider.key(settings) is None:
        raise ConfigurationError(
            f"ASSISTANT_MODEL={tier.model} is served by {provider.title}, but {provider.key_variable} is not set.",
            "Set it in the environment or in .env.local, or set ASSISTANT_MODEL to a model that can be reached.",
        )
    prices: PriceTable = load_prices(settings.prices_file)
    sender = Sender(tier, settings, notice=notice, interrupted=interrupted)
    return AssistantChat(tier=tier, client=connect(tier, settings), sender=sender, prices=prices)


def encodable(value: Any) -> Any:
    """The same plain data such that every UTF-8 writer takes it: lone surrogates become question marks."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {encodable(key): encodable(inner) for key, inner in value.items()}
    return [encodable(inner) for inner in value] if isinstance(value, list) else value


def _as_message(answer: Any, tier: Tier, known: Set[str | None]) -> AIMessage:
    """What a provider answered; `known`: the ids of earlier calls in the conversation."""
    metadata = {key: str(answer.response_metadata[key]) for key in KEPT_METADATA if answer.response_metadata.get(key)}
    # Some servers give no ids, or the same ones in each turn: a call would then pass for one that was answered.
    calls: list[ToolCall] = encodable(answer.tool_calls)
    for place, call in enumerate(calls):
        if not call["id"] or call["id"] in known or call["id"] in {earlier["id"] for earlier in calls[:place]}:
            call["id"] = f"{answer.id}-{place}"
    invalid: list[InvalidToolCall] = encodable(answer.invalid_tool_calls)
    content = encodable(answer.content)
    if len(str(content)) + len(str(calls)) + len(str(invalid)) > MAX_CHARACTERS:
        content, calls, invalid = str(content)[:MAX_CHARACTERS], [], []
        metadata["finish_reason"] = "length"
    elif calls and finish_told(answer) == "truncated":
        invalid, calls = [*invalid, *map(_cut, calls)], []
    return AIMessage(
        content,
        id=answer.id,
        tool_calls=calls,
        invalid_tool_calls=invalid,
        usage_metadata=answer.usage_metadata,
        # What a provider wants to see again with its message (Gemini's signatures); the calls are there already.
        additional_kwargs=encodable(
            {key: value for key, value in answer.additional_kwargs.items() if key != "tool_calls"}
        ),
        response_metadata={**metadata, "model_name": who_answered(answer, tier)},
    )


def _cut(call: ToolCall) -> InvalidToolCall:
    return InvalidToolCall(
        name=call["name"], args=str(call["args"]), id=call["id"], error="the reply was cut", type="invalid_tool_call"
    )
