"""Parts of the settings: a role's tier, the sandbox, and the kinds of value that they take. Reads nothing itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr
from pydantic_core import PydanticCustomError

from sandbox import Limits
from src.policy import read_conditions, read_points

ThinkingLevel = Literal["none", "minimal", "low", "medium", "high"]


def _own_default(value: object) -> object:
    """An empty variable counts as not set, so that a level which `.env` sets can only be taken back by a word."""
    word = value.strip().lower() if isinstance(value, str) else value
    return None if word == "default" else word


def _known_level(value: object) -> object:
    word = _own_default(value)
    if word is not None and word not in get_args(ThinkingLevel):
        raise PydanticCustomError("thinking_level", f"Choose one of: default, {', '.join(get_args(ThinkingLevel))}")
    return word


def points(value: object) -> object:
    return _read_by(read_points, "approve", value)


def conditions(value: object) -> object:
    return _read_by(read_conditions, "approve_when", value)


def _read_by(read: Callable[[str], tuple[str, ...]], kind: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return read(value)
    except ValueError as error:
        raise PydanticCustomError(kind, "{told}", {"told": str(error)}) from None


def _says_default(value: object) -> bool:
    return isinstance(value, str) and value.strip().lower() == "default"


def _level_or_default(value: object) -> object:
    """As `_known_level`, but `default` stays a word: it says something else than a variable that is not set."""
    return "default" if _says_default(value) else _known_level(value)


def _temperature_or_default(value: object) -> object:
    if value is None or _says_default(value):
        return None if value is None else "default"
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number is told below
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 2:
        raise PydanticCustomError("temperature", "Give a number from 0 to 2, or default")
    return number


def _http_address(value: str) -> str:
    """Keys are sent here: a slip must not become a request to somewhere else."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PydanticCustomError("address", "Give an address that begins with http:// or https://")
    return value


def _one_word(value: object) -> object:
    """A blank or a line end that was copied along would end up, with the key, in the HTTP library's complaint."""
    if not isinstance(value, str):
        return value
    key = value.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise PydanticCustomError("key", "A key is one word of plain letters, digits and signs")
    return key or None


def _two_numbers(value: str | None) -> str | None:
    if value is None:
        return None
    try:
        read, written = (float(part) for part in value.split(","))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        raise PydanticCustomError("price", "Give two numbers: dollars per million tokens read and written (1.25,10)")
    return value


def postgres_address(value: SecretStr) -> SecretStr:
    """A password with signs in it would be read as another host, and be told as one."""
    address = value.get_secret_value()
    try:
        parts = urlsplit(address)
        is_right = parts.scheme in ("postgresql", "postgres") and (parts.port is None or parts.port > 0)
        is_right = is_right and address.count("@") == parts.netloc.count("@") <= 1
    except ValueError:
        is_right = False
    if not is_right:
        raise PydanticCustomError(
            "address", "Give postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and so on in the password"
        )
    return value


def long_enough(value: SecretStr | None) -> SecretStr | None:
    if value is not None and len(value.get_secret_value()) < MIN_RUNS_KEY:
        raise PydanticCustomError("key", f"Give at least {MIN_RUNS_KEY} characters")
    return value


MIN_RUNS_KEY = 16
"""Characters of the key that runs are encrypted with, at least."""

Key = Annotated[SecretStr | None, BeforeValidator(_one_word)]
HttpAddress = Annotated[str, AfterValidator(_http_address)]


class RoleSettings(BaseModel):
    """The tier given to a role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    """Model name: bare (the provider is chosen by the keys that are there) or `provider:model`. Several names with
    commas between them are a ladder: each is asked when those before it are at their wits' end."""
    thinking_level: Annotated[ThinkingLevel | None, BeforeValidator(_known_level)] = None
    """How much the model may think before it answers; `default`: as the provider decides."""
    temperature: Annotated[float | None, BeforeValidator(_own_default)] = Field(default=None, ge=0, le=2)
    """Sampling temperature; `default`: as the provider decides."""
    max_tokens: int = Field(default=32768, gt=0)
    """Output cap of one call in tokens, thinking included."""
    fallback: str | None = Field(default=None, min_length=1)
    """Model that is asked when the provider of another fails for good; at its own default thinking level."""
    price: Annotated[str | None, AfterValidator(_two_numbers)] = None
    """Dollars per million tokens read and written, such as `1.25,10`; without it the price table decides."""

    @property
    def ladder(self) -> tuple[str, ...]:
        """The names in `model`, first to last."""
        return tuple(name for part in self.model.split(",") if (name := part.strip())) or (self.model,)


class BorrowingSettings(BaseModel):
    """A tier of which only a part need be set; the rest is that of another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = Field(default=None, min_length=1)
    """Model name, as for every role."""
    thinking_level: Annotated[ThinkingLevel | Literal["default"] | None, BeforeValidator(_level_or_default)] = None
    """How much the model may think; `default`: as the provider decides."""
    temperature: Annotated[float | Literal["default"] | None, BeforeValidator(_temperature_or_default)] = None
    """Sampling temperature; `default`: as the provider decides."""
    max_tokens: int | None = Field(default=None, gt=0)
    """Output cap of one call in tokens, thinking included."""

    fallback: str | None = Field(default=None, min_length=1)
    """Model that is asked when the provider of another fails for good."""
    price: Annotated[str | None, AfterValidator(_two_numbers)] = None
    """Dollars per million tokens read and written; for a model of its own the other's does not hold."""

    def beside(self, other: RoleSettings) -> RoleSettings:
        """The whole tier."""
        given = other.model_dump(exclude={"price"} if self.model else None)
        return RoleSettings.model_validate(given | self.model_dump(exclude_none=True))


class EmbeddingSettings(BaseModel):
    """The model that tells which lessons a request is near to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = Field(default=None, min_length=1)
    """Model name, as for every role; without one lessons are found by their words."""
    price: float | None = Field(default=None, ge=0, lt=float("inf"))
    """Dollars per million tokens; without it the price table decides."""


class SandboxSettings(BaseModel):
    """Where suites run and what they may use."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    backend: str = "docker"
    """Name in the table of sandbox backends."""
    base_image: str = "python:3.12-slim"
    """Image that the sandbox image is built from."""
    pool: int = Field(default=2, ge=0, le=64)
    """Containers that are kept started ahead; 0: each is made when it is needed."""
    packages: Path | None = None
    """File of pinned requirements: packages that generated code may import besides the standard library."""
    runtime: str | None = None
    """Another runtime of the container engine, for example `runsc` (gVisor)."""
    seconds: float = Field(default=Limits().seconds, gt=0, le=3600)
    """Wall-clock seconds of one test run."""
    memory_mb: int = Field(default=Limits().memory_mb, ge=32)
    """Memory of one test run in MiB."""
    processes: int = Field(default=Limits().processes, ge=8)
    """Processes and threads of one test run."""
    cpus: float = Field(default=Limits().cpus, gt=0)
    """Processor cores of one test run."""
    output_kb: int = Field(default=Limits().output_kb, ge=1)
    """KiB that one test run may print."""
    disk_mb: int = Field(default=Limits().disk_mb, ge=1)
    """MiB of temporary files of one test run."""
    file_mb: int = Field(default=Limits().file_mb, ge=1)
    """MiB of a single file of one test run."""

    @property
    def limits(self) -> Limits:
        """The limits as the sandbox takes them."""
        return Limits(**self.model_dump(include=set(Limits.model_fields)))
