"""Settings: where they come from, and what is said about a wrong one."""

import os
from pathlib import Path

import pytest
from pydantic import BaseModel

from src.config import PROJECT_ROOT, Settings, load_settings
from src.errors import ConfigurationError, ExitCode
from src.setting_types import RoleSettings

KEY = "sk-this-is-a-key-0123456789"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing from the shell that runs the tests."""
    for name in list(os.environ):
        if name.lower().startswith(tuple(Settings.model_fields)) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


def write(root: Path, name: str, *lines: str) -> None:
    (root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def committed() -> dict[str, str]:
    lines = (PROJECT_ROOT / ".env").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def defaults(prefix: str, values: dict[str, object]) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= defaults(f"{prefix}{name.upper()}_", value)
        else:
            flat[f"{prefix}{name.upper()}"] = value
    return flat


def test_the_committed_file_states_the_defaults_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, ".env", *(f"{name}={value}" for name, value in committed().items()))
    assert load_settings(tmp_path) == load_settings(tmp_path / "nothing there")


def test_the_committed_file_states_every_setting_that_has_a_default() -> None:
    plain = defaults("", Settings.model_construct().model_dump())
    stated = {name for name, value in plain.items() if value is not None}
    assert set(committed()) == stated


def test_the_committed_file_holds_no_key() -> None:
    assert not [name for name in committed() if "KEY" in name]


def test_the_tiers_are_the_tutorial_s() -> None:
    settings = load_settings(PROJECT_ROOT / "nothing there")
    told = {role: settings.tier(role) for role in ("architect", "developer", "debugger", "reviewer")}
    assert [(tier.model, tier.thinking_level, tier.temperature) for tier in told.values()] == [
        ("gemini-pro-latest", "high", 0.2),
        ("gemini-3.7-flash", "medium", 0.2),
        ("gemini-3.7-flash", "high", 0.1),
        ("gemini-flash-lite-latest", "low", 0.2),
    ]
    assert settings.max_debug_iterations == 3


def test_later_sources_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, ".env", "MAX_CORRECTIONS=4", "MAX_DEBUG_ITERATIONS=4", "MODEL_TIMEOUT=4", "MODEL_ATTEMPTS=4")
    write(tmp_path, ".env.local", "MAX_DEBUG_ITERATIONS=5", "MODEL_TIMEOUT=5", "MODEL_ATTEMPTS=5")
    monkeypatch.setenv("MODEL_TIMEOUT", "6")
    monkeypatch.setenv("MODEL_ATTEMPTS", "6")
    settings = load_settings(tmp_path, model_attempts=7)
    found = (settings.max_corrections, settings.max_debug_iterations, settings.model_timeout, settings.model_attempts)
    assert found == (4, 5, 6, 7)


def test_a_flag_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, ".env", "MAX_DEBUG_ITERATIONS=5")
    assert load_settings(tmp_path, max_debug_iterations=None).max_debug_iterations == 5


def test_one_variable_of_a_role_leaves_its_others_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODER_THINKING_LEVEL", "low")
    monkeypatch.setenv("DEBUGGER_MAX_TOKENS", "100")
    settings = load_settings(tmp_path)
    expected = RoleSettings(model="gemini-3.7-flash", thinking_level="low", temperature=0.2)
    assert settings.tier("developer") == expected
    assert (settings.debugger.model, settings.debugger.max_tokens) == ("gemini-3.7-flash", 100)


def test_limits_of_the_sandbox_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_MEMORY_MB", "99")
    monkeypatch.setenv("SANDBOX_BASE_IMAGE", "python:3.13-slim")
    settings = load_settings(tmp_path)
    assert settings.sandbox.limits.memory_mb == 99
    assert settings.sandbox.base_image == "python:3.13-slim"


@pytest.mark.parametrize("name", ["GEMINI_API_KEY", "GOOGLE_API_KEY"])
def test_either_name_of_the_gemini_key_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, KEY)
    key = load_settings(tmp_path).gemini_api_key
    assert key is not None
    assert key.get_secret_value() == KEY


def test_blanks_around_a_key_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    assert load_settings(tmp_path).secrets() == [KEY]


def test_a_key_of_blanks_counts_as_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "  ")
    assert load_settings(tmp_path).openai_api_key is None


@pytest.mark.parametrize("key", [f"{KEY}\nmore", f"{KEY} more", f"„{KEY}“"])
def test_a_key_that_no_request_can_carry_is_refused_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", key)
    with pytest.raises(ConfigurationError, match="A key is one word") as caught:
        load_settings(tmp_path)
    assert caught.value.message.startswith("GEMINI_API_KEY")
    assert KEY not in str(caught.value)


def test_an_empty_variable_counts_as_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "")
    monkeypatch.setenv("ARCHITECT_THINKING_LEVEL", "")
    settings = load_settings(tmp_path)
    assert settings.gemini_api_key is None
    assert settings.architect.thinking_level == "high"


def test_the_word_default_takes_a_level_and_a_temperature_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHITECT_THINKING_LEVEL", "default")
    monkeypatch.setenv("ARCHITECT_TEMPERATURE", "Default")
    settings = load_settings(tmp_path)
    assert (settings.architect.thinking_level, settings.architect.temperature) == (None, None)


def test_keys_are_in_no_printed_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    settings = load_settings(tmp_path)
    assert KEY not in repr(settings) + str(settings) + settings.model_dump_json()
    assert settings.secrets() == [KEY, KEY, KEY]


def test_the_password_of_the_database_is_a_secret_in_both_its_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNS_URL", "postgresql://ann:p%40ss-w0rd@db.example:5433/runs")
    monkeypatch.setenv("RUNS_KEY", KEY)
    settings = load_settings(tmp_path)
    assert settings.secrets() == [KEY, "p%40ss-w0rd", "p@ss-w0rd"]
    assert "ss-w0rd" not in repr(settings) + settings.model_dump_json()


@pytest.mark.parametrize(
    "address",
    [
        "mysql://ann:s3cret-w0rd@db/runs",
        "postgresql://ann:s3cret@w0rd@db/runs",
        "postgresql://ann:s3cret/w0rd@db/runs",
        "postgresql://ann:12/s3cret@db/runs",
        "postgresql://ann:s3cret#w0rd@db/runs",
        "postgresql://ann:s3cret@[::1/runs",
    ],
)
def test_an_address_whose_password_would_be_read_as_something_else_is_refused_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("RUNS_URL", address)
    with pytest.raises(ConfigurationError, match="RUNS_URL: Give postgresql://USER:PASSWORD@HOST") as caught:
        load_settings(tmp_path)
    assert not any(part in str(caught.value) for part in ("s3cret", "w0rd"))


def test_a_key_for_runs_that_could_be_guessed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNS_KEY", "hunter2")
    with pytest.raises(ConfigurationError, match="RUNS_KEY: Give at least 16 characters") as caught:
        load_settings(tmp_path)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("CODER_THINKING_LEVEL", "turbo", "Choose one of: default, none, minimal, low, medium, high"),
        ("CODER_TEMPERATURE", "warm", "valid number"),
        ("CODER_TEMPERATURE", "3", "less than or equal to 2"),
        ("MAX_DEBUG_ITERATIONS", "many", "valid integer"),
        ("MAX_DEBUG_ITERATIONS", "-1", "greater than or equal to 0"),
        ("SANDBOX_MEMORY_MB", "1", "greater than or equal to 32"),
        ("OPENAI_BASE_URL", "localhost:11434", "begins with http:// or https://"),
        ("GEMINI_BASE_URL", "https://", "begins with http:// or https://"),
    ],
)
def test_a_wrong_value_names_the_variable_and_what_it_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        load_settings(tmp_path)
    assert caught.value.message.startswith(f"{name}: ")
    assert told in caught.value.message
    assert repr(value) in caught.value.message
    assert caught.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize("name", ["CODER_THINKNG_LEVEL", "SANDBOX_MEMORY"])
def test_a_slip_of_the_pen_in_a_name_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "1")
    with pytest.raises(ConfigurationError, match=f"{name} is not a setting that exists. Did you mean [A-Z_]+[?]"):
        load_settings(tmp_path)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env.local").write_bytes("CODER_MODEL=x\n".encode("utf-16"))
    with pytest.raises(ConfigurationError, match=r"[.]env[.]local is not text in UTF-8"):
        load_settings(tmp_path)


def test_a_variable_of_others_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load_settings(tmp_path)
    for name in ("SANDBOX", "REVIEWER", "PATH_TO_NOWHERE"):
        monkeypatch.setenv(name, "somebody")
    write(tmp_path, ".env", "SOMETHING_ELSE=1", "DEBUGGER=1")
    assert load_settings(tmp_path) == plain


def test_a_wrong_value_of_a_key_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(tmp_path, openai_api_key=[KEY])
    assert "OPENAI_API_KEY" in caught.value.message
    assert KEY not in str(caught.value)


def test_when_to_ask_can_be_set_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, ".env.local", "APPROVE=code")
    monkeypatch.setenv("APPROVE_WHEN", "suspicion")
    settings = load_settings(tmp_path)
    assert (settings.approve, settings.approve_when) == (("code",), ("suspicion",))


def test_when_to_ask_can_be_set_alone_in_a_file(tmp_path: Path) -> None:
    write(tmp_path, ".env.local", "APPROVE_WHEN=suspicion")
    settings = load_settings(tmp_path)
    assert (settings.approve, settings.approve_when) == ((), ("suspicion",))


def test_a_variable_of_others_that_begins_as_one_of_ours_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = [name for name, value in Settings.model_fields.items() if not isinstance(value.default, BaseModel)]
    for name in single:
        monkeypatch.setenv(f"{name.upper()}_OF_OTHERS", "x")
    assert load_settings(tmp_path) == load_settings(tmp_path / "nothing there")
