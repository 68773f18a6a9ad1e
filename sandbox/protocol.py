"""What host and guest say to each other: a length of four bytes, then JSON. All that the guest sends is untrusted."""

import json
import secrets
import struct
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sandbox.base import Job
from sandbox.canary import Canary

MAX_MESSAGE_BYTES = 32 * 1024 * 1024
MAX_EVENT_ID = 4000
MAX_EVENT_TEXT = 20_000
MAX_TESTS = 50_000
MAX_VALUE_TEXT = 1000
MAX_FRAMES = 20
MAX_VALUES = 40
MAX_NAME = 200
MAX_REWRITTEN = 1_400_000

Phase = Literal["setup", "call", "teardown"]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Ready(_Message):
    """The guest's greeting."""

    ready: bool
    """Whether its pytest session stands and waits for the job."""
    output: str = Field(default="", max_length=70_000)
    """What was printed when it does not."""


class GuestResult(_Message):
    """What the supervisor saw of one run."""

    ended_by: Literal["exit", "timeout", "output", "report", "disk", "memory", "processes"]
    """`exit`: the worker ended; otherwise the limit that it crossed."""
    wait_status: int | None = Field(ge=0, le=0xFFFF)
    """Wait status of the worker; `None`: it still lived."""
    report: str
    """What came through the report pipe: JSON lines, if it is honest."""
    output_head: str
    """The start of what was printed."""
    output_tail: str
    """The end of what was printed, where it does not fit into the start."""
    output_bytes: int = Field(ge=0)
    """How much was printed in all."""
    seconds: float = Field(ge=0, allow_inf_nan=False)
    """Wall-clock seconds from job to end."""
    cpu_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Processor time of all processes together; `None`: it was not measured."""
    peak_memory_bytes: int | None = Field(default=None, ge=0)
    """The most memory that was in use at once; `None`: it was not measured."""
    left_running: int = Field(default=0, ge=0)
    """Processes of the run that lived on after it."""
    left_names: list[Annotated[str, Field(max_length=MAX_NAME)]] = Field(default_factory=list, max_length=100)
    """What the first of them call themselves."""
    rewritten: str = Field(default="", max_length=MAX_REWRITTEN)
    """The suite as pytest compiles it, in base64, if it was asked for: made before anything of the job ran."""
    rewritten_file: str = Field(default="", max_length=MAX_NAME)
    """Name of the file in which pytest looks for it."""


@dataclass(frozen=True)
class Rewritten:
    """A suite as pytest compiled it: the same text means the same to every container of one image."""

    file: str
    """Name of the file in which pytest looks for it."""
    pyc: str
    """Its content in base64. The host never opens it."""


class _Failure(_Message):
    message: str = Field(default="", max_length=MAX_EVENT_TEXT)
    traceback: str = Field(default="", max_length=MAX_EVENT_TEXT)


_Value = Annotated[str, Field(max_length=MAX_VALUE_TEXT)]
_Name = Annotated[str, Field(max_length=MAX_NAME)]
_Line = Annotated[int, Field(ge=0, le=100_000_000)]


class ToldComparison(_Message):
    """Both sides of an assertion that compared."""

    left: _Value
    operator: _Name
    right: _Value


class ToldFrame(_Message):
    """A call within the module under test that an exception went through."""

    function: _Name
    line: _Line
    values: dict[_Name, _Value] = Field(max_length=MAX_VALUES)


class Facts(_Message):
    """What is known of an exception beyond its text."""

    exception: _Name
    line: _Line | None = None
    comparison: ToldComparison | None = None
    frames: list[ToldFrame] = Field(default_factory=list, max_length=MAX_FRAMES)


class CollectError(_Failure):
    """A file could not be collected."""

    event: Literal["collect_error"]
    id: str = Field(max_length=MAX_EVENT_ID)


class InternalError(_Failure):
    """An exception went through pytest itself."""

    event: Literal["internal_error"]


class Collected(_Message):
    """All tests that will run, in order."""

    event: Literal["collected"]
    ids: list[Annotated[str, Field(max_length=MAX_EVENT_ID)]] = Field(max_length=MAX_TESTS)


class Start(_Message):
    """A test begins."""

    event: Literal["start"]
    id: str = Field(max_length=MAX_EVENT_ID)


class PhaseReport(_Failure):
    """A phase of a test ended, or one of its subtests did."""

    event: Literal["phase", "subtest"]
    id: str = Field(max_length=MAX_EVENT_ID)
    phase: Phase
    outcome: Literal["passed", "failed", "skipped"]
    expected_to_fail: bool
    seconds: float = Field(ge=0, allow_inf_nan=False)
    facts: Facts | None = None
    stdout: str = Field(default="", max_length=MAX_EVENT_TEXT)
    stderr: str = Field(default="", max_length=MAX_EVENT_TEXT)


Note = Annotated[str, Field(max_length=1000)]


class CannotCarry(_Message):
    """The suite did something that does not reach a module in a process of its own."""

    event: Literal["cannot_carry"]
    what: Note


class Apart(_Message):
    """What came between the suite and a module in a process of its own."""

    event: Literal["apart"]
    refused: list[Note] = Field(max_length=100)
    broken: Note


class Finish(_Message):
    """The session is complete."""

    event: Literal["finish"]
    status: int
    nonce: str = Field(max_length=100)


class Exit(_Message):
    """The last word of the worker before it ends with `status`."""

    event: Literal["exit"]
    status: int


Event = CollectError | InternalError | Collected | Start | PhaseReport | CannotCarry | Apart | Finish | Exit
_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def read_event(line: str) -> Event | None:
    """One line of the report; `None` when it is not an event."""
    try:
        return _EVENT.validate_json(line)
    except ValidationError:
        return None


@dataclass(frozen=True)
class Secret:
    """What an honest session of one run knows, and nobody can guess beforehand."""

    nonce: str = field(default_factory=lambda: secrets.token_hex(16))
    """By which its finish is known."""
    canary: Canary = field(default_factory=Canary)
    """Tests of our own among those of the suite."""


def job_message(job: Job, secret: Secret, rewritten: Rewritten | None = None, rewrite: bool = False) -> bytes:
    """The order to run `job`, as it goes to the guest.

    `rewritten`: the suite as an earlier guest compiled it. `rewrite`: have it compiled, and returned, now.
    """
    order = {
        "module_file": job.module_file,
        "module": job.code,
        "suite_file": job.suite_file,
        "suite": job.tests,
        "rewritten_file": rewritten.file if rewritten else "",
        "rewritten": rewritten.pyc if rewritten else "",
        "rewrite": rewrite,
        "markers": job.markers,
        "hash_seed": job.hash_seed,
        "order_seed": job.order_seed,
        "canary": secret.canary.order,
        "run": [job.suite_file],
        "nonce": secret.nonce,
        "seconds": job.limits.seconds,
        "output_bytes": job.limits.output_kb * 1024,
        "file_bytes": job.limits.file_mb * 1024 * 1024,
    }
    data = json.dumps(order).encode()
    return struct.pack(">I", len(data)) + data
