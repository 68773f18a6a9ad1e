"""A chat model that answers from a script: agents that call tools run offline, in tests and for whoever has no key.

A script is a file of JSON lines. The first is its header; every other is one reply, found by who is asked and by what
was said last, not by a counter: a process that resumes a conversation finds the reply that belongs there.
"""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ConfigDict, Field, model_validator

from src.errors import ReplayExhausted
from src.models.faults import FAULTS, ModelFault
from src.models.transcripts import RecordedFault, RecordedUsage, read_lines
from src.reply import text_of

SAID = "$said"
"""Stands in a reply for what was said last, so that a scripted answer can tell what a tool has found."""


class ScriptHeader(BaseModel):
    """The first line of a script."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    script: Literal[1]
    """Version of the format."""
    title: str = ""
    """What it shows, in a few words."""


class ScriptedCall(BaseModel):
    """One call of a tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """The tool, or the class of a structured answer."""
    args: dict[str, Any] = Field(default_factory=dict)
    """Its arguments by their names."""


class ScriptedReply(BaseModel):
    """One reply of a script."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    who: str
    """Who is asked, such as `supervisor`."""
    when: str = ""
    """What the last message of a person or a tool is, or holds; empty: whatever it is."""
    again: bool = False
    """Whether it answers as often as that is said, when those with the same `when` before it are used up."""
    reply: str = ""
    """Text of the reply."""
    tool_calls: tuple[ScriptedCall, ...] = ()
    """Tools that it calls."""
    usage: RecordedUsage | None = None
    """Tokens that it used, when it was recorded."""
    error: RecordedFault | None = None
    """The fault that the call ends with, in place of a reply."""

    @model_validator(mode="after")
    def _says_something(self) -> "ScriptedReply":
        if (self.error is None) != bool(self.reply or self.tool_calls):
            raise ValueError("an entry has either an error or a reply, tool_calls or both")
        return self


class ScriptedChat(BaseChatModel):
    """Answers for `who` from a script; sends nothing and costs nothing.

    Of the replies whose `when` is what was said last, or is held in it, the first tells which `when` counts. Several
    replies with the same `when` answer one after the other, as often as that was said in the conversation before.
    """

    who: str
    """Whose replies it gives."""
    replies: tuple[ScriptedReply, ...]
    """The script; those of others are passed over."""

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """The same model; what it was bound to is kept as a real one's would be, and so structured output works."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools], tool_choice=tool_choice, **kwargs)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  # the script says what is answered
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> ChatResult:
        """Raises the scripted fault, or `ReplayExhausted` when the script has no answer."""
        said = _last_said(messages)
        reply = self._reply_to(said, messages)
        if reply.error is not None:
            raise FAULTS.get(reply.error.kind, ModelFault)(reply.error.message)
        # The same in every process, and another one for every turn of a conversation.
        digest = sha256(f"{self.who}{[_identity(message) for message in messages]}".encode()).hexdigest()[:16]
        return ChatResult(generations=[ChatGeneration(message=_message(reply, said, digest))])

    def _reply_to(self, said: str, messages: Sequence[BaseMessage]) -> ScriptedReply:
        fitting = self._fitting(said)
        if not fitting:
            raise ReplayExhausted(
                f"The script has no reply of {self.who} to {said[:200]!r}.",
                "Say what the script foresees (it stands beside the program), or set a key: then a model answers.",
            )
        before = sum(self._fitting(earlier) == fitting for earlier in _answered(messages))
        if before >= len(fitting) and not fitting[-1].again:
            raise ReplayExhausted(
                f"The script has no further reply of {self.who} to {said[:200]!r}: it holds {len(fitting)}.",
                "Begin a new conversation, or set a key: then a model answers.",
            )
        return fitting[min(before, len(fitting) - 1)]

    def _fitting(self, said: str) -> list[ScriptedReply]:
        mine = [reply for reply in self.replies if reply.who == self.who]
        whole = [reply for reply in mine if reply.when == said]
        first = next(iter(whole or [reply for reply in mine if reply.when in said]), None)
        return [reply for reply in mine if first and reply.when == first.when]


def load_script(path: Path) -> tuple[ScriptedReply, ...]:
    """The replies of a script. Raises `ConfigurationError` naming the line that is wrong."""
    return tuple(reply for _, reply in read_lines(path, ScriptHeader, ScriptedReply)[1])


def _last_said(messages: Sequence[BaseMessage]) -> str:
    """What the model answers: the last message of a person or a tool."""
    return next((text_of(message.content) for message in reversed(messages) if message.type in ("human", "tool")), "")


def _answered(messages: Sequence[BaseMessage]) -> list[str]:
    """What was said last before each answer in the conversation."""
    return [
        _last_said(messages[:place])
        for place, message in enumerate(messages)
        if message.type == "ai" and place and messages[place - 1].type in ("human", "tool")
    ]


def _identity(message: BaseMessage) -> str:
    return json.dumps([message.type, message.content, getattr(message, "tool_calls", [])], default=str)


def _message(reply: ScriptedReply, said: str, digest: str) -> AIMessage:
    calls = [
        ToolCall(name=call.name, args=call.args, id=f"call-{digest}-{place}", type="tool_call")
        for place, call in enumerate(reply.tool_calls)
    ]
    used = reply.usage
    read, written = (used.input_tokens or 0, used.output_tokens or 0) if used else (0, 0)
    return AIMessage(
        reply.reply.replace(SAID, said),
        id=f"scripted-{digest}",
        tool_calls=calls,
        usage_metadata=UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
        if used
        else None,
        response_metadata={"model_name": "scripted", "finish_reason": "tool_calls" if calls else "stop"},
    )
