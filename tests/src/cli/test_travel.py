"""Replays, forks and their comparison, by the real command and by its parts."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from src.cli.choice import Choice, choices, noted
from src.cli.travel import ForkOptions, fork_plans, read_changes, replay_plan
from src.errors import ConfigurationError
from src.ledger import Budget, Ledger, Shared
from src.runs import Runs
from tests.chat_server import ChatServer
from tests.conftest import Answers
from tests.src.cli.conftest import ARCHITECT, GREEN, HEALED, NO_PATCH, PATCH, REVIEW, WRONG, Bench, Command
from tests.src.cli.test_execute import carried_out

Transcript = Callable[..., Path]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    hopeless = [NO_PATCH.replace("43", str(number)) for number in (50, 51, 52, 53, 54)]
    replies = {"architect": [ARCHITECT], "developer": [WRONG], "reviewer": [REVIEW], "reader": ["nothing"]}
    with ChatServer({**replies, "debugger": hopeless, "good": [PATCH], "bad": hopeless[2:]}) as server:
        yield server
        server.shutdown()


def test_forks_with_other_models_run_side_by_side_and_the_first_that_is_verified_wins(
    command: Command, server: ChatServer
) -> None:
    environment = server.environment(SECOND_READING="off", MAX_DEBUG_ITERATIONS="2")
    first = command("--prompt", "Answer.", "--json", **environment)
    assert first.returncode == 1
    origin = json.loads(first.stdout)["run_id"]
    asked = server.asked["architect"]
    models = ("--model", "debugger=openai:bad", "--model", "debugger=openai:good", "--thread", "again")
    done = command("fork", origin, "--at", "4", *models, "--json", **environment)
    assert done.returncode == 0, done.stderr
    winner, other = json.loads(done.stdout)
    assert (winner["run_id"], winner["verdict"], winner["forked_from"]) == ("again-2", "VERIFIED", f"{origin}@4")
    assert other["verdict"] == "UNVERIFIED"
    assert server.asked["architect"] == asked, "what lies before the step is not paid for again"
    assert "VERIFIED, won" in done.stderr
    assert (command.project / "out" / "again-2" / "solution.py").is_file()

    told = json.loads(command("diff", origin, "again-2", "--json", **environment).stdout)
    assert (told["a"]["outcome"], told["b"]["outcome"], told["tests"]) == ("UNVERIFIED", "VERIFIED", "")
    assert "+    return 42" in told["code"].splitlines()


def test_a_fork_of_a_replay_goes_on_with_its_transcript_and_an_edit_passes_the_gates(
    command: Command, transcript: Transcript
) -> None:
    first = command("--replay", str(transcript(HEALED)), "--json", "--no-second-reading")
    assert first.returncode == 0, first.stderr
    origin = json.loads(first.stdout)["run_id"]
    steps = json.loads(command("history", origin, "--json").stdout)
    at = next(str(step["step"]) for step in steps if "debugger" in step["next"])
    (command.project / "bad.py").write_text("def nothing():\n    return 1\n", encoding="utf-8")
    refused = command("fork", origin, "--at", at, "--set", "code=@bad.py")
    assert refused.returncode == 2
    assert "The edited code was refused" in refused.stderr
    done = command("fork", origin, "--at", at, "--thread", "other", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["run_id"], report["verdict"], report["iterations"]) == ("other", "VERIFIED", 1)
    again = command("replay", "other", "--at", "0", "--json")
    assert (again.returncode, json.loads(again.stdout)["verdict"]) == (0, "VERIFIED"), again.stderr


def test_a_replay_and_a_fork_take_the_replies_of_a_transcript_from_where_their_step_lies(
    bench: Bench, transcript: Transcript, tmp_path: Path
) -> None:
    report = carried_out(bench, transcript(HEALED))
    saved = bench.workshop.runs.saved(report.run_id)
    at = next(str(step.number) for step in bench.workshop.runs.history(report.run_id) if "debugger" in step.next)
    plan = replay_plan(saved, at, bench.settings, None, force=False)
    assert plan.used == {"architect": 1, "developer": 1}
    assert json.loads(plan.notes["offset"]) == {"architect": 0, "developer": 0, "debugger": -1, "reviewer": -1}
    options = ForkOptions(report.run_id, at, out=tmp_path / "fork", thread="b")
    (fork,) = fork_plans(options, saved, {}, [Choice()], bench.settings)
    assert (fork.used, json.loads(fork.notes["before"])) == (plan.used, plan.used)


def test_a_fork_is_never_made_where_a_run_of_that_name_is(bench: Bench, transcript: Transcript, tmp_path: Path) -> None:
    report = carried_out(bench, transcript(GREEN))
    saved = bench.workshop.runs.saved(report.run_id)
    options = ForkOptions(report.run_id, "1", out=tmp_path / "fork", thread=report.run_id)
    with pytest.raises(ConfigurationError, match="already"):
        fork_plans(options, saved, {}, [Choice()], bench.settings)
    with pytest.raises(ConfigurationError, match="cannot be called ''"):
        fork_plans(replace(options, thread=""), saved, {}, [Choice()], bench.settings)
    assert isinstance(bench.workshop.runs, Runs)


def test_every_model_of_a_role_makes_a_fork_and_levels_combine_with_them() -> None:
    made = choices(["debugger=a", "debugger=b", "reviewer=c", "debugger=a"], ["debugger=low", "debugger=high"], None)
    assert [one.title for one in made] == [
        f"debugger={model} {level}, reviewer=c" for model in "ab" for level in ("low", "high")
    ]
    assert choices([], [], None) == [Choice()]


def test_too_many_forks_are_refused_with_their_number() -> None:
    models = [f"{role}={name}" for role in ("debugger", "developer") for name in "abc"]
    with pytest.raises(ConfigurationError, match="combine to 9 forks; at most 8"):
        choices(models, [], None)


@pytest.mark.parametrize("given", ["debugger", "debugger=", "=x", "debuger=x", "coder=x"])
def test_a_slip_in_a_model_is_named_with_the_roles_there_are(given: str) -> None:
    with pytest.raises(ConfigurationError, match="ROLE=MODEL") as refused:
        choices([given], [], None)
    assert "debugger" in refused.value.remedy


def test_a_choice_is_found_again_in_the_notes_and_stands_above_the_settings() -> None:
    choice = noted(Choice({"developer": {"model": "openai:x"}, "debugger": {"thinking_level": "low"}}).notes)
    settings = choice.settings({"budget": 1.0})
    assert (settings.coder.model, settings.debugger.thinking_level, settings.budget) == ("openai:x", "low", 1.0)
    with pytest.raises(ConfigurationError, match="DEBUGGER_THINKING_LEVEL"):
        Choice({"debugger": {"thinking_level": "huge"}}).settings({})


def test_the_price_and_the_fallback_of_another_model_do_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUGGER_PRICE", "1,2")
    monkeypatch.setenv("DEBUGGER_FALLBACK", "openai:spare")
    chosen = Choice({"debugger": {"model": "openai:x"}}).settings({})
    assert (chosen.debugger.price, chosen.debugger.fallback) == (None, None)
    assert Choice({"debugger": {"thinking_level": "low"}}).settings({}).debugger.price == "1,2"


def test_a_file_of_settings_is_read_after_the_others(tmp_path: Path) -> None:
    env = tmp_path / "other.env"
    env.write_text("CODER_MODEL=openai:from-the-file\nOPENAI_API_KEY=secret-of-the-file\n", encoding="utf-8")
    choice = noted(Choice(env=env).notes)
    assert choice.settings({}).coder.model == "openai:from-the-file"
    assert "secret" not in str(choice.notes)


def test_what_is_set_is_read_from_files_and_numbers_are_numbers(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_bytes(b"x = 1\r\n")
    assert read_changes([f"code=@{file}", "max_iterations=7", "user_request=a=b"]) == {
        "code": "x = 1\n",
        "max_iterations": 7,
        "user_request": "a=b",
    }


@pytest.mark.parametrize(
    "given",
    [
        ["code"],
        ["code=a", "code=b"],
        ["code=@/nowhere"],
        ["max_iterations=many"],
        [f"developers={'9' * 5000}"],
        ["x=1"],
    ],
)
def test_what_cannot_be_set_is_refused(given: list[str]) -> None:
    with pytest.raises(ConfigurationError):
        read_changes(given)


def test_ledgers_that_share_a_budget_stop_before_any_of_them_crosses_it() -> None:
    shared = Shared()
    first, second = (Ledger(Budget(tokens=300), shared=shared) for _ in range(2))
    first.ask("p", "developer", Answers("x"), [])
    with pytest.raises(Exception, match="at most 110 are used"):
        second.ask("p", "developer", Answers("x"), [])
