"""The one reader of the environment. Everything else is handed what it needs.

Later sources win: the defaults below (`.env` in the repository states the same values), `.env`, `.env.local`
(ignored by git: the place for keys), the process environment, command line flags.
"""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_core import PydanticCustomError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from sandbox import Limits
from src.errors import ConfigurationError
from src.policy import Point, read_conditions, read_points
from src.state import Assume, Role

PROJECT_ROOT = Path(__file__).resolve().parent.parent
"""Where `prompts/`, `transcripts/`, `Dockerfile.sandbox` and the `.env` files lie."""

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


def _points(value: object) -> object:
    return _read_by(read_points, "approve", value)


def _conditions(value: object) -> object:
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


def _postgres_address(value: SecretStr) -> SecretStr:
    """A password with signs in it would be read as another host, and be told as one."""
    parts = urlsplit(value.get_secret_value())
    try:
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        port_is_right = False
    signs_are_right = value.get_secret_value().count("@") == parts.netloc.count("@") <= 1
    if parts.scheme not in ("postgresql", "postgres") or not port_is_right or not signs_are_right:
        raise PydanticCustomError(
            "address", "Give postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and so on in the password"
        )
    return value


def _long_enough(value: SecretStr | None) -> SecretStr | None:
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


class ReaderSettings(BaseModel):
    """The tier of the second reading; what is not set is the reviewer's."""

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
    """Dollars per million tokens read and written; for a model of its own the reviewer's does not hold."""

    def beside(self, reviewer: RoleSettings) -> RoleSettings:
        """The whole tier."""
        given = reviewer.model_dump(exclude={"price"} if self.model else None)
        return RoleSettings.model_validate(given | self.model_dump(exclude_none=True))


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


class Settings(BaseSettings):
    """Everything that can be set from outside."""

    model_config = SettingsConfigDict(
        env_nested_delimiter="_",
        env_nested_max_split=1,
        nested_model_default_partial_update=True,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    architect: RoleSettings = RoleSettings(model="gemini-pro-latest", thinking_level="high", temperature=0.2)
    """ARCHITECT_MODEL, ARCHITECT_THINKING_LEVEL, ARCHITECT_TEMPERATURE, ARCHITECT_MAX_TOKENS."""
    coder: RoleSettings = RoleSettings(model="gemini-3.7-flash", thinking_level="medium", temperature=0.2)
    """CODER_*: the developer's tier."""
    debugger: RoleSettings = RoleSettings(model="gemini-3.7-flash", thinking_level="high", temperature=0.1)
    """DEBUGGER_*."""
    reviewer: RoleSettings = RoleSettings(model="gemini-flash-lite-latest", thinking_level="low", temperature=0.2)
    """REVIEWER_*."""

    reader: ReaderSettings = ReaderSettings()
    """READER_*: the tier of the second reading; what is not set is the reviewer's."""

    second_reading: bool = True
    """Whether a model that sees only the request is asked what the request leaves open."""
    assume: Assume = "list"
    """What becomes of tests that rest on assumptions; see `src.state.Assume`."""
    approve: Annotated[tuple[Point, ...], NoDecode, BeforeValidator(_points)] = ()
    """Where a person decides: a list with commas; see `src.policy.Point`."""
    approve_when: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_conditions)] = ()
    """When that is asked: `cost>0.50,suspicion,suite_changed`, one of which must hold; always without any."""
    editor: str | None = Field(default=None, validation_alias=AliasChoices("VISUAL", "EDITOR"))
    """The command that a person's editor is started with."""
    max_debug_iterations: int = Field(default=3, ge=0, le=100)
    """Passes of the debugger at most."""
    max_corrections: int = Field(default=2, ge=0, le=20)
    """How often an author is asked again after a gate's refusal."""
    max_failure_chars: int = Field(default=6000, ge=1000, le=200_000)
    """How many characters the debugger is told of a failure at most, sources of failing tests included."""
    max_disputes: int = Field(default=2, ge=0, le=20)
    """How often in a run the debugger may claim that tests are wrong."""
    min_tests: int = Field(default=5, ge=1, le=1000)
    """Tests that a suite must have at least; each case of a parametrised test counts."""

    gemini_api_key: Key = Field(default=None, validation_alias=AliasChoices("GEMINI_API_KEY", "GOOGLE_API_KEY"))
    """Key for Gemini."""
    openrouter_api_key: Key = None
    """Key for OpenRouter."""
    openai_api_key: Key = None
    """Key for OpenAI, or for the server at OPENAI_BASE_URL (any text where the server asks for none)."""
    gemini_base_url: HttpAddress | None = None
    """Another address for Gemini."""
    gemini_api_version: str = "v1beta"
    """Version in Gemini's paths."""
    openrouter_base_url: HttpAddress = "https://openrouter.ai/api/v1"
    """Address of OpenRouter."""
    openai_base_url: HttpAddress | None = None
    """Address of an OpenAI-compatible server (Ollama, vLLM, llama.cpp, …)."""
    model_timeout: float = Field(default=300.0, gt=0)
    """Seconds that a provider may stay silent before a call counts as failed."""
    model_seconds: float = Field(default=900.0, gt=0)
    """Wall-clock seconds of one attempt at most, however steadily its reply drips."""
    model_attempts: int = Field(default=4, ge=1, le=20)
    """Times that a call is sent at most when transport faults are in the way."""
    budget: float | None = Field(default=None, ge=0)
    """Dollars that a run may cost in all."""
    max_tokens: int | None = Field(default=None, ge=0)
    """Tokens, read and written, that a run may use in all."""
    prices_file: Path | None = None
    """A price table that is read in place of the one that ships."""

    sandbox: SandboxSettings = SandboxSettings()
    """SANDBOX_BACKEND, SANDBOX_BASE_IMAGE, SANDBOX_SECONDS, SANDBOX_MEMORY_MB, …."""
    runs_path: Path = Path(".selfheal/runs.sqlite")
    """File of the SQLite database that runs are checkpointed in."""
    runs_url: Annotated[SecretStr, AfterValidator(_postgres_address)] | None = None
    """Address of a Postgres database that takes the file's place, so that several machines share it."""
    lessons: bool = True
    """Whether a run is told of, and adds to, what earlier runs of the project have taught."""
    lessons_project: str | None = Field(default=None, min_length=1, max_length=200)
    """Name that lessons are kept under; without one that of the git repository, or of the folder."""
    runs_key: Annotated[Key, AfterValidator(_long_enough)] = None
    """Secret that what is kept of runs is encrypted with; without one nothing is."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Leave variables of others alone: a whole group is never set as one, so SANDBOX and REVIEWER are not ours."""
        groups = {name for name, field in settings_cls.model_fields.items() if isinstance(field.default, BaseModel)}
        for source in (env_settings, dotenv_settings):
            if isinstance(source, EnvSettingsSource):
                source.env_vars = {name: value for name, value in source.env_vars.items() if name not in groups}
        return init_settings, env_settings, dotenv_settings, file_secret_settings

    def tier(self, role: Role) -> RoleSettings:
        """The tier of `role`; the developer's variables are called CODER_*."""
        tiers: dict[Role, RoleSettings] = {
            "architect": self.architect,
            "developer": self.coder,
            "debugger": self.debugger,
            "reviewer": self.reviewer,
            "reader": self.reader.beside(self.reviewer),
        }
        return tiers[role]

    def secrets(self) -> list[str]:
        """Every key and password that is set: what no message and no file may hold."""
        keys = (self.gemini_api_key, self.openrouter_api_key, self.openai_api_key, self.runs_key)
        return [*(key.get_secret_value() for key in keys if key), *self._passwords()]

    def _passwords(self) -> list[str]:
        """The password in the address of the database, as it stands there and as it is meant."""
        if self.runs_url is None:
            return []
        parts = urlsplit(self.runs_url.get_secret_value())
        written = [parts.password, *parse_qs(parts.query).get("password", [])]
        return list(dict.fromkeys(form for word in written if word for form in (word, unquote(word))))


def load_settings(root: Path = PROJECT_ROOT, env_file: Path | None = None, **overrides: Any) -> Settings:
    """Read every source. `overrides` are flags; a flag that is `None` was not given. `env_file` is read after the
    others of its kind.

    Raises `ConfigurationError` naming the variable and the values that it may have.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    files = (root / ".env", root / ".env.local", *([env_file] if env_file else []))
    try:
        return Settings(_env_file=files, **given)  # type: ignore[call-arg]  # a settings source, not a field
    except ValidationError as error:
        raise ConfigurationError(_explain(error), "Correct it in the environment, in .env.local or in .env.") from None
    except SettingsError as error:
        raise ConfigurationError(f"The environment cannot be read: {error}") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{' or '.join(map(str, files))} is not text in UTF-8: {error.reason}.", "Save it as UTF-8 text."
        ) from None


def _explain(error: ValidationError) -> str:
    lines = []
    for problem in error.errors(include_url=False):
        name = "_".join(str(part) for part in problem["loc"]).upper()
        if problem["type"] == "extra_forbidden":
            near = get_close_matches(name, _names_beside(problem["loc"]), n=1)
            lines.append(f"{name} is not a setting that exists." + (f" Did you mean {near[0]}?" if near else ""))
        else:
            shown = "" if "KEY" in name or name == "RUNS_URL" else f" (it is {str(problem['input'])[:80]!r})"
            lines.append(f"{name}: {problem['msg']}{shown}.")
    return "\n".join(lines)


def _names_beside(place: tuple[int | str, ...]) -> list[str]:
    """Settings of the same group, by the names of their variables."""
    group = Settings.model_fields[str(place[0])].default
    return [f"{place[0]}_{name}".upper() for name in type(group).model_fields]
