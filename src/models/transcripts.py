"""Transcripts: replies as lines of JSON, written by hand ("scripted") or taken from real models ("recorded").

The first line is the header; every further line is one entry, in the order in which a role was answered.
"""

import json
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from src.candidates import MAX_DEVELOPERS
from src.errors import ConfigurationError
from src.reply import Reply, Usage, finish_of, text_of
from src.state import Role

_Head = TypeVar("_Head", bound=BaseModel)
_Line = TypeVar("_Line", bound=BaseModel)

MAX_BYTES = 64 * 1024 * 1024
"""A transcript larger than this is refused."""


class RecordedUsage(BaseModel):
    """What a recorded call used; see `src.reply.Usage`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input_tokens: int | None = Field(default=None, ge=0)
    """Tokens read."""
    output_tokens: int | None = Field(default=None, ge=0)
    """Tokens written, thinking included."""
    reasoning_tokens: int | None = Field(default=None, ge=0)
    """The thinking part."""
    cached_tokens: int | None = Field(default=None, ge=0)
    """The cached part of what was read."""
    cost: float | None = Field(default=None, ge=0)
    """Dollars that the call cost when it was recorded; `None` when unknown, as for scripted replies."""


class RecordedFault(BaseModel):
    """A call that failed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = "other"
    """Name in `src.models.faults.FAULTS`."""
    message: str
    """What happened."""


class Header(BaseModel):
    """The first line of a transcript."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    transcript: Literal[1] = 1
    """Version of the format."""
    kind: Literal["scripted", "recorded"]
    """Written by hand, or taken from real models."""
    title: str = ""
    """What it shows, in a few words."""
    request: str = ""
    """The request that the replies answer."""
    module_name: str = "solution"
    """Import name of the module."""
    created: str = ""
    """When, as an ISO date or time."""
    models: dict[Role, str] | None = None
    """Who answered, when it was recorded."""
    developers: int = Field(default=1, ge=1, le=MAX_DEVELOPERS)
    """How many developers write at once."""


class Entry(BaseModel):
    """One reply or one fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Role
    """Who was asked."""
    developer: int | None = Field(default=None, ge=1, le=MAX_DEVELOPERS)
    """Which of several developers; `None`: the first, or the only one. Who writes at once ends in any order."""
    reply: str | list[Any] | None = None
    """The reply: text or content blocks; absent when it lies in a file, or when the call failed."""
    reply_file: str | None = None
    """A Markdown file with the reply, beside the transcript or in a folder below it."""
    error: RecordedFault | None = None
    """The fault that the call ended with."""
    finish_reason: str | None = None
    """Why the model stopped, in its provider's word; `None` when it was not told."""
    model: str = ""
    """Who answered."""
    usage: RecordedUsage = RecordedUsage()
    """What the call used."""
    seconds: float = Field(default=0.0, ge=0)
    """How long it took."""

    @model_validator(mode="after")
    def _answers_once(self) -> "Entry":
        if sum(part is not None for part in (self.reply, self.reply_file, self.error)) != 1:
            raise ValueError("an entry has exactly one of reply, reply_file and error")
        return self

    def as_reply(self) -> Reply:
        """The reply as a node gets it."""
        usage = Usage(**self.usage.model_dump())
        return Reply(text_of(self.reply), finish_of(self.finish_reason), usage, self.model, self.seconds)


class Transcript(BaseModel):
    """A whole transcript."""

    model_config = ConfigDict(frozen=True)

    header: Header
    """What it is."""
    entries: tuple[Entry, ...]
    """The replies in order; those in files are read in."""

    def entries_of(self, role: Role, developer: int = 0) -> tuple[Entry, ...]:
        """What `role` answered, or one of several developers."""
        which = developer or 1
        return tuple(entry for entry in self.entries if entry.role == role and (entry.developer or 1) == which)


def load_transcript(path: Path) -> Transcript:
    """Read a transcript and the files that it names.

    A last line without an end is what a killed recording leaves: it is left out when it cannot be read.
    Raises `ConfigurationError` naming the line that is wrong.
    """
    header, numbered = read_lines(path, Header, Entry)
    return Transcript(header=header, entries=tuple(_with_file(path, number, entry) for number, entry in numbered))


def read_lines(path: Path, head: type[_Head], kind: type[_Line]) -> tuple[_Head, list[tuple[int, _Line]]]:
    """The first line of a file of JSON lines, and the others with their numbers. Raises `ConfigurationError`."""
    text = _read(path)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if lines and not text.endswith("\n") and not _is_json(lines[-1][1]):
        lines.pop()
    if not lines:
        raise ConfigurationError(f"The transcript {path} is empty.")
    return _parse(head, path, *lines[0]), [(number, _parse(kind, path, number, line)) for number, line in lines[1:]]


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigurationError(f"{path} is larger than {MAX_BYTES // 1024 // 1024} MiB.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigurationError(f"There is no file {path}.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not text in UTF-8.", "A transcript is what --record wrote.") from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from None


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _parse(kind: type[_Line], path: Path, number: int, line: str) -> _Line:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        what = f"{field}: {first['msg']}" if field else first["msg"]
        raise ConfigurationError(
            f"{path}, line {number} is not a transcript's {kind.__name__.lower()}: {what}."
        ) from None


def _with_file(path: Path, number: int, entry: Entry) -> Entry:
    if entry.reply_file is None:
        return entry
    relative = PurePosixPath(entry.reply_file)
    if relative.is_absolute() or ".." in relative.parts:
        raise ConfigurationError(f"{path}, line {number}: reply_file must lie beside the transcript or below it.")
    return entry.model_copy(update={"reply": _read(path.parent / relative), "reply_file": None})
