"""Who serves a role, and what is said when nobody can."""

import subprocess
import sys
from typing import Any

import pytest

from src.config import Settings
from src.errors import ConfigurationError, ExitCode
from src.models import PROVIDERS, build_ladders, check_keys, choose_provider, describe_ladders, describe_tiers
from src.models.tiers import Tier, check_level, provider_called

LOCAL = "http://localhost:11434/v1"


@pytest.fixture
def settings(clean_environment: None) -> Any:  # noqa: ARG001
    def make(**given: Any) -> Settings:
        return Settings(_env_file=None, **given)  # type: ignore[call-arg]  # a settings source, not a field

    return make


GEMINI = {"GEMINI_API_KEY": "g"}
ROUTER = {"openrouter_api_key": "r"}
OPENAI = {"openai_api_key": "o"}
SERVER = {"openai_base_url": LOCAL}


@pytest.mark.parametrize(
    ("name", "keys", "served"),
    [
        ("meta/llama", ROUTER | GEMINI, ("openrouter", "meta/llama")),
        ("gpt-4o", ROUTER, ("openrouter", "gpt-4o")),
        ("gemini-pro-latest", ROUTER, ("openrouter", "gemini-pro-latest")),
        ("gemini-pro-latest", ROUTER | GEMINI, ("gemini", "gemini-pro-latest")),
        ("Gemini-pro", OPENAI, ("gemini", "Gemini-pro")),
        ("gemma-3", GEMINI | OPENAI, ("gemini", "gemma-3")),
        ("gpt-4o", OPENAI, ("openai", "gpt-4o")),
        ("meta/llama", OPENAI, ("openai", "meta/llama")),
        ("gpt-4o", {}, ("openai", "gpt-4o")),
        ("qwen3", SERVER, ("compatible", "qwen3")),
        ("qwen3:8b", SERVER, ("compatible", "qwen3:8b")),
        ("deepseek/r1:free", ROUTER, ("openrouter", "deepseek/r1:free")),
        ("ft:gpt-4o:acme::1", OPENAI, ("openai", "ft:gpt-4o:acme::1")),
    ],
)
def test_a_bare_name_is_served_by_the_keys_that_are_there(
    settings: Any, name: str, keys: dict[str, str], served: tuple[str, str]
) -> None:
    assert choose_provider(name, settings(**keys)) == served


@pytest.mark.parametrize(
    ("name", "keys", "served"),
    [
        ("openai:gpt-4o", GEMINI | ROUTER, ("openai", "gpt-4o")),
        ("gemini:meta/llama", ROUTER, ("gemini", "meta/llama")),
        ("openrouter:gemini-2.5-pro", GEMINI, ("openrouter", "gemini-2.5-pro")),
        ("openai:qwen3:8b", SERVER | GEMINI, ("compatible", "qwen3:8b")),
        ("compatible:qwen3", GEMINI, ("compatible", "qwen3")),
        ("openai:gpt-4o", {"openai_base_url": "https://eu.api.openai.com/v1"}, ("openai", "gpt-4o")),
        ("openai:gpt-4o", {"openai_base_url": "https://openai.com.example/v1"}, ("compatible", "gpt-4o")),
    ],
)
def test_a_provider_that_is_named_serves(
    settings: Any, name: str, keys: dict[str, str], served: tuple[str, str]
) -> None:
    assert choose_provider(name, settings(**keys)) == served


@pytest.mark.parametrize("name", ["gemni:gemini-2.5-pro", "anthropic:claude", "openai:"])
def test_a_provider_that_does_not_exist_is_an_error_that_names_the_variable(settings: Any, name: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        choose_provider(name, settings(**GEMINI), "CODER_MODEL")
    assert caught.value.message.startswith(f"CODER_MODEL={name}")


@pytest.mark.parametrize("name", ["anthropic:claude", "ollama:llama3", "opnai:gpt-5", "gemeni:pro"])
def test_a_provider_that_does_not_exist_is_not_taken_for_a_part_of_the_name(settings: Any, name: str) -> None:
    with pytest.raises(ConfigurationError, match="there is no provider"):
        choose_provider(name, settings(**SERVER), "CODER_MODEL")


def test_without_any_key_one_message_lists_the_ways(settings: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build_ladders(settings())
    assert caught.value.exit_code is ExitCode.USAGE
    told = str(caught.value)
    for way in (
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "OPENROUTER_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "--prompt",
    ):
        assert told.count(way) == 1


def test_a_key_that_a_tier_needs_is_named_with_the_tier(settings: Any) -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_keys(settings(**OPENAI, reviewer={"model": "openai:gpt-4o"}, coder={"model": "openrouter:a/b"}))
    assert caught.value.message.splitlines() == [
        "ARCHITECT_MODEL=gemini-pro-latest is served by Gemini, but GEMINI_API_KEY (or GOOGLE_API_KEY) is not set.",
        "CODER_MODEL=a/b is served by OpenRouter, but OPENROUTER_API_KEY is not set.",
        "DEBUGGER_MODEL=gemini-3.7-flash is served by Gemini, but GEMINI_API_KEY (or GOOGLE_API_KEY) is not set.",
    ]
    assert caught.value.remedy.endswith("or choose a model that can be reached: openai:NAME.")


def test_a_server_needs_its_address_and_no_key(settings: Any) -> None:
    tier = {"model": "compatible:m"}
    every = {"architect": tier, "coder": tier, "debugger": tier, "reviewer": tier}
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL is not set"):
        check_keys(settings(**every, **GEMINI))
    assert {tier.provider for tier in check_keys(settings(**every, **SERVER)).values()} == {"compatible"}


def test_the_tiers_are_told_as_they_will_be_asked(settings: Any) -> None:
    tiers = describe_tiers(settings(**GEMINI, debugger={"model": "openai:gpt-5", "max_tokens": 99}))
    assert list(tiers) == ["architect", "developer", "debugger", "reviewer", "reader"]
    assert tiers["developer"] == Tier("developer", "gemini", "gemini-3.7-flash", "medium", 0.2, 32768)
    assert (tiers["debugger"].provider, tiers["debugger"].model, tiers["debugger"].max_tokens) == (
        "openai",
        "gpt-5",
        99,
    )


def test_every_provider_of_the_table_can_be_had() -> None:
    for name in PROVIDERS:
        assert provider_called(name).title


def test_a_level_that_is_left_to_the_provider_is_never_refused() -> None:
    check_level(Tier("developer", "openai", "gpt-4o", None, None, 1), ())


def test_a_refused_level_names_the_variable_and_the_ways_out() -> None:
    with pytest.raises(ConfigurationError) as caught:
        check_level(Tier("developer", "openai", "gpt-4o", "high", None, 1), ())
    assert caught.value.message == "CODER_THINKING_LEVEL=high: openai:gpt-4o takes no thinking level."
    assert caught.value.remedy == "Set CODER_THINKING_LEVEL=default, or choose another CODER_MODEL."


def test_models_of_all_providers_are_built_side_by_side(settings: Any) -> None:
    chosen = settings(
        **GEMINI,
        **ROUTER,
        **OPENAI,
        reviewer={"model": "openai:gpt-4o", "thinking_level": "default"},
        coder={"model": "openrouter:a/b", "thinking_level": "none"},
    )
    assert list(build_ladders(chosen)) == ["architect", "developer", "debugger", "reviewer", "reader"]


def test_neither_the_package_nor_the_tiers_import_a_client() -> None:
    code = """
import sys
import src.models, src.usage
from src.config import Settings
from src.errors import ConfigurationError
settings = Settings(_env_file=None, openai_api_key="o")
src.models.describe_tiers(settings)
try:
    src.models.check_keys(settings)
except ConfigurationError:
    pass
heavy = ("langchain", "langgraph", "langsmith", "openai", "google", "httpx", "docker")
print([name for name in sys.modules if name.startswith(heavy)])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_several_names_are_a_ladder_and_each_of_them_needs_its_key(settings: Any) -> None:
    chosen = settings(**GEMINI, debugger={"model": "gemini-3.7-flash, openai:gpt-5", "fallback": "openrouter:a/b"})
    ladder = describe_ladders(chosen)["debugger"]
    assert [(tier.provider, tier.model) for tier in ladder] == [("gemini", "gemini-3.7-flash"), ("openai", "gpt-5")]
    with pytest.raises(ConfigurationError) as caught:
        check_keys(chosen)
    assert "DEBUGGER_MODEL=gpt-5" in caught.value.message
    assert "DEBUGGER_FALLBACK=a/b" in caught.value.message
