"""The one reader of the environment. Everything else is handed what it needs.

Later sources win: the defaults below (`.env` in the repository states the same values), `.env`, `.env.local`
(ignored by git: the place for keys), the process environment, command line flags.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from src.candidates import MAX_DEVELOPERS
from src.errors import ConfigurationError
from src.policy import Point
from src.setting_types import (
    BorrowingSettings,
    EmbeddingSettings,
    HttpAddress,
    Key,
    RoleSettings,
    SandboxSettings,
    conditions,
    long_enough,
    points,
    postgres_address,
)
from src.state import Assume, Role

PROJECT_ROOT = Path(__file__).resolve().parent.parent
"""Where `prompts/`, `transcripts/`, `Dockerfile.sandbox` and the `.env` files lie."""


class _Environment(EnvSettingsSource):
    """The environment; only groups are put together from several variables: APPROVE_WHEN is no part of APPROVE."""

    def explode_env_vars(self, field_name: str, field: FieldInfo, env_vars: Mapping[str, str | None]) -> dict[str, Any]:
        return super().explode_env_vars(field_name, field, env_vars) if _is_group(field) else {}


class _Files(_Environment, DotEnvSettingsSource):
    """The same of files."""


def _is_group(field: FieldInfo) -> bool:
    return isinstance(field.default, BaseModel)


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

    reader: BorrowingSettings = BorrowingSettings()
    """READER_*: the tier of the second reading; what is not set is the reviewer's."""
    assistant: BorrowingSettings = BorrowingSettings()
    """ASSISTANT_*: the tier of agents that call tools, as those in `examples/`; what is not set is the developer's."""

    second_reading: bool = True
    """Whether a model that sees only the request is asked what the request leaves open."""
    assume: Assume = "list"
    """What becomes of tests that rest on assumptions; see `src.state.Assume`."""
    approve: Annotated[tuple[Point, ...], NoDecode, BeforeValidator(points)] = ()
    """Where a person decides: a list with commas; see `src.policy.Point`."""
    approve_when: Annotated[tuple[str, ...], NoDecode, BeforeValidator(conditions)] = ()
    """When that is asked: `cost>0.50,suspicion,suite_changed`, one of which must hold; always without any."""
    editor: str | None = Field(default=None, validation_alias=AliasChoices("VISUAL", "EDITOR"))
    """The command that a person's editor is started with."""
    developers: int = Field(default=1, ge=1, le=MAX_DEVELOPERS)
    """Developers that write a module each, at once; the run goes on from the best."""
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
    runs_url: Annotated[SecretStr, AfterValidator(postgres_address)] | None = None
    """Address of a Postgres database that takes the file's place, so that several machines share it."""
    lessons: bool = True
    """Whether a run is told of, and adds to, what earlier runs of the project have taught."""
    embedding: EmbeddingSettings = EmbeddingSettings()
    """EMBEDDING_MODEL, EMBEDDING_PRICE: what finds lessons by their meaning."""
    lessons_project: str | None = Field(default=None, min_length=1, max_length=200)
    """Name that lessons are kept under; without one that of the git repository, or of the folder."""
    runs_key: Annotated[Key, AfterValidator(long_enough)] = None
    """Secret that what is kept of runs is encrypted with; without one nothing is."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003  # made anew below
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Leave variables of others alone: a whole group is never set as one, so SANDBOX and REVIEWER are not ours."""
        assert isinstance(dotenv_settings, DotEnvSettingsSource)
        groups = {name for name, field in settings_cls.model_fields.items() if _is_group(field)}
        sources = _Environment(settings_cls), _Files(settings_cls, env_file=dotenv_settings.env_file)
        for source in sources:
            source.env_vars = {name: value for name, value in source.env_vars.items() if name not in groups}
        return init_settings, *sources, file_secret_settings

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
