"""Replies from a transcript in place of a model, and the recorder that makes transcripts from real runs."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TextIO

from src.candidates import MAX_DEVELOPERS, called
from src.context import Branching, RoleModel
from src.errors import ConfigurationError, ProviderError, ReplayExhausted
from src.models.faults import FAULTS, ModelFault
from src.models.transcripts import Entry, Header, RecordedFault, RecordedUsage, Transcript
from src.reply import Finish, Permit, Reply, WorstCase, permitted
from src.state import ROLES, Message, Role

_FINISH_WORDS: dict[Finish, str | None] = {
    "complete": "stop",
    "truncated": "length",
    "blocked": "content_filter",
    "unknown": None,
}
"""Words that `finish_of` turns back into what they came from."""


class ReplayModel:
    """Answers for a role from a transcript, in order. Safe in threads.

    It sends nothing and costs nothing; token counts and costs are those of the recording, if it has any.
    """

    def __init__(
        self, role: str, entries: Sequence[Entry], used: int = 0, branches: "Mapping[int, ReplayModel] | None" = None
    ) -> None:
        """`used`: replies that were taken before. `branches`: the models of several developers."""
        self._role = role
        self._branches = branches or {}
        self._entries = entries
        self._next = used
        self._lock = Lock()

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002  # whatever is asked, the next reply is the answer
        """The next reply. Raises the recorded fault, or `ReplayExhausted` when none is left."""
        with self._lock:
            number = self._next
            self._next += 1
        if number >= len(self._entries):
            raise ReplayExhausted(
                f"The transcript has no further reply of the {self._role}: it holds {len(self._entries)}, "
                f"and reply {number + 1} was asked for.",
                "Replay with the settings that it was recorded with, or record the run again.",
            )
        entry = self._entries[number]
        if entry.error is not None:
            raise FAULTS.get(entry.error.kind, ModelFault)(entry.error.message)
        return entry.as_reply()

    def of(self, developer: int) -> RoleModel:
        """The model of one of several developers, who has replies of its own: who asks first does not matter then."""
        return self._branches.get(developer, self)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:  # noqa: ARG002  # nothing is sent
        """Nothing: no model is called."""
        return WorstCase(0, 0.0)


def replay_models(transcript: Transcript, used: Mapping[str, int] | None = None) -> dict[Role, RoleModel]:
    """A model for every role that answers from `transcript`.

    `used` tells how many replies of a role, or of one of several developers (`developer 2`), were taken before, for a
    run that is resumed.
    """
    taken = used or {}

    def model(role: Role, developer: int = 0, branches: Mapping[int, ReplayModel] | None = None) -> ReplayModel:
        name = called(role, developer)
        return ReplayModel(name, transcript.entries_of(role, developer), taken.get(name, 0), branches)

    several = {which: model("developer", which) for which in range(1, MAX_DEVELOPERS + 1)}
    return {role: model(role, branches=several if role == "developer" else None) for role in ROLES}


class Recorder:
    """Writes every reply to a transcript as it comes, so that a killed run keeps what it paid for."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lock = Lock()

    def wrap(self, models: Mapping[Role, RoleModel]) -> dict[Role, RoleModel]:
        """The same models, with everything that they answer recorded."""
        return {role: _RecordedModel(role, model, self) for role, model in models.items()}

    def write(self, line: Header | Entry) -> None:
        """Append a line and wait until it is on the disk."""
        with self._lock:
            self._stream.write(line.model_dump_json(exclude_none=True) + "\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())


@contextmanager
def recording(path: Path, header: Header) -> Iterator[Recorder]:
    """Record into a new file. Raises `ConfigurationError` when it is there already or cannot be written."""
    if path.exists():
        raise ConfigurationError(f"{path} is there already.", "Choose another file to record to.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("x", encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error}") from None
    with stream:
        recorder = Recorder(stream)
        recorder.write(header)
        yield recorder


class _RecordedModel:
    def __init__(self, role: Role, model: RoleModel, recorder: Recorder, developer: int | None = None) -> None:
        self._role = role
        self._model = model
        self._recorder = recorder
        self._developer = developer

    def of(self, developer: int) -> RoleModel:
        model = self._model.of(developer) if isinstance(self._model, Branching) else self._model
        return _RecordedModel(self._role, model, self._recorder, developer)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        return self._model.worst_case(messages)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        try:
            reply = self._model.ask(messages, permit)
        except ProviderError as error:
            fault = RecordedFault(kind=getattr(error, "kind", "other"), message=error.message)
            self._recorder.write(Entry(role=self._role, developer=self._developer, error=fault, finish_reason=None))
            raise
        self._recorder.write(
            Entry(
                role=self._role,
                developer=self._developer,
                reply=reply.text,
                finish_reason=_FINISH_WORDS[reply.finish],
                model=reply.model,
                usage=RecordedUsage(**vars(reply.usage)),
                seconds=round(reply.seconds, 3),
            )
        )
        return reply
