"""Budgets through the real command, against a server that counts what it is asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from src.cli.budget import check_budget
from src.cli.crew import assemble_crew
from src.config import load_settings
from src.errors import ConfigurationError
from src.forecast import Caps, forecast
from tests.chat_server import ChatServer
from tests.conftest import Answers
from tests.src.cli.conftest import ARCHITECT, PATCH, REVIEW, WRONG, Command

PRICES = {f"{role}_PRICE": "1,10" for role in ("ARCHITECT", "CODER", "DEBUGGER", "REVIEWER", "READER")}
CAPS = {f"{role}_MAX_TOKENS": "1000" for role in ("ARCHITECT", "CODER", "DEBUGGER", "REVIEWER", "READER")}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    replies = {"architect": [ARCHITECT], "developer": [WRONG], "debugger": [PATCH], "reviewer": [REVIEW]}
    with ChatServer(replies | {"reader": ["nothing"]}) as server:
        yield server
        server.shutdown()


def test_a_run_stops_with_4_before_the_call_that_could_cross_its_budget_and_goes_on_with_more(
    command: Command, server: ChatServer
) -> None:
    environment = server.environment(**PRICES | {"DEBUGGER_PRICE": "1,100"}, **CAPS)
    done = command("--prompt", "Answer.", "--budget", "0.05", "--json", **environment)
    report = json.loads(done.stdout)
    assert done.returncode == 4
    assert (report["exit_code"], report["verdict"]) == (4, "UNVERIFIED")
    assert "budget of $0.05 is reached" in report["problem"]["message"]
    assert "--budget" in report["problem"]["remedy"]
    assert "in the worst case; stopped before it crosses $0.05" in done.stderr
    assert report["usage"]["total"]["calls"] == sum(server.asked.values()) > 0
    assert report["usage"]["total"]["cost"] < 0.05
    assert server.asked["debugger"] == 0

    again = command("resume", report["run_id"], "--budget", "1", "--json", **environment)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["usage"]["total"]["calls"] == sum(server.asked.values())
    assert (server.asked["architect"], server.asked["developer"]) == (1, 1), "what was paid for is not asked for again"


def test_a_budget_that_could_not_be_kept_is_refused_at_the_start(command: Command, server: ChatServer) -> None:
    done = command("--prompt", "Answer.", "--budget", "1", **server.environment(READER_PRICE="1,1"))
    assert done.returncode == 2
    assert "compatible:architect (ARCHITECT)" in done.stderr
    assert "ARCHITECT_PRICE=INPUT,OUTPUT" in done.stderr
    assert not server.asked


def test_an_embedding_model_counts_before_the_first_call_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "EMBEDDING_MODEL": "openai:e", **PRICES}.items():
        monkeypatch.setenv(name, value)
    for tier in ("ARCHITECT", "READER", "CODER", "DEBUGGER", "REVIEWER"):
        monkeypatch.setenv(f"{tier}_MODEL", "openai:m")
    crew = assemble_crew(load_settings(tmp_path), None, None, print)
    with pytest.raises(ConfigurationError, match=r"price of compatible:e \(EMBEDDING\) is unknown") as refused:
        check_budget(crew, load_settings(tmp_path, budget=1.0))
    assert "EMBEDDING_PRICE=INPUT" in refused.value.remedy
    with_it, without = (forecast(crew.models, "Answer.", Caps(1, 1), one) for one in (crew.embedder, None))
    assert (with_it.calls - without.calls, with_it.worst.tokens - without.worst.tokens) == (1, 101_600)
    assert assemble_crew(load_settings(tmp_path), None, {}, print).embedder is None, (
        "a run that goes on has its lessons"
    )
    assert assemble_crew(load_settings(tmp_path, lessons=False), None, None, print).embedder is None


def test_a_budget_in_tokens_needs_no_price(command: Command, server: ChatServer) -> None:
    done = command("--prompt", "Answer.", "--max-tokens", "10", **server.environment(**CAPS))
    assert done.returncode == 4
    assert "budget of 10 tokens is reached" in done.stderr
    assert not server.asked


def test_a_replay_costs_nothing_and_keeps_every_budget() -> None:
    transcript = Path(__file__).parents[3] / "transcripts" / "green_at_once.jsonl"
    crew = assemble_crew(load_settings(), transcript, None, print)
    check_budget(crew, load_settings(budget=0.0))


def test_a_slip_in_a_price_is_named() -> None:
    with pytest.raises(ConfigurationError, match="ARCHITECT_PRICE"):
        load_settings(architect={"price": "cheap"})


def test_the_worst_case_of_a_run_is_the_sum_of_its_caps() -> None:
    models = {role: Answers() for role in ("architect", "developer", "debugger", "reviewer")}
    told = forecast(models, "Answer.", Caps(corrections=2, iterations=3, disputes=1))  # type: ignore[arg-type]
    assert told.calls == 6 + 3 + 9 + 1
    assert told.worst.tokens == 200 * told.calls
    assert told.worst.cost == pytest.approx(0.02 * told.calls)


def test_several_developers_cost_several_times_what_one_does() -> None:
    models = {role: Answers() for role in ("architect", "developer", "debugger", "reviewer")}
    one, three = (forecast(models, "", Caps(2, 1, developers=number)).calls for number in (1, 3))  # type: ignore[arg-type]
    assert three - one == 2 * 3
