"""The scripted examples through the real command and the real container: no key, no network, no model."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.forks import Forks

ROOT = Path(__file__).parent.parent
LEAST_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
"""No key, no setting: what a new user's shell has."""

pytestmark = pytest.mark.docker
needs_container = pytest.mark.usefixtures("container")


class Played(NamedTuple):
    """What a run of the command came to."""

    code: int
    report: dict[str, Any]
    told: str
    made: Path


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Callable[[str], Played]:
    """`played("rate_limiter")`: a run of that example, one for all tests that look at it."""

    def play(example: str) -> Played:
        folder = tmp_path_factory.mktemp(example)
        unparked = {
            **LEAST_ENVIRONMENT,
            "SANDBOX_POOL": "0",
        }  # containers that wait for a next verdict are not asked for
        code = forks(folder, unparked, ["--json", "--out", "made", "--example", example])
        out, told = ((folder / name).read_text(encoding="utf-8") for name in ("stdout", "stderr"))
        assert out, told
        return Played(code, json.loads(out), told, folder / "made")

    return cache(play)


@needs_container
@pytest.mark.parametrize(
    ("example", "exit_code", "verdict", "iterations", "delivered"),
    [
        ("rate_limiter", 0, "VERIFIED", 1, 1),
        ("green_at_once", 0, "VERIFIED", 0, 0),
        ("healed_in_two", 0, "VERIFIED", 2, 2),
        ("disputed_test", 0, "VERIFIED", 1, 0),
        ("never_healed", 1, "UNVERIFIED", 3, 1),
        ("open_question", 0, "VERIFIED", 0, 0),
        ("three_developers", 0, "VERIFIED", 1, 0),
    ],
)
def test_each_example_takes_its_course(
    played: Callable[[str], Played], example: str, exit_code: int, verdict: str, iterations: int, delivered: int
) -> None:
    code, report, told, _made = played(example)
    assert (code, report["exit_code"], report["verdict"]) == (exit_code, exit_code, verdict)
    assert (report["iterations"], report["delivered_iteration"]) == (iterations, delivered)
    assert report["replayed"]["kind"] == "scripted"
    assert "scripted" in told.lower()
    assert report["sandbox"]["backend"] == "docker"
    assert report["sandbox"]["image"].startswith("sha256:")
    assert verdict in told


@needs_container
def test_a_contested_assumption_binds_nothing_and_is_told(played: Callable[[str], Played]) -> None:
    _code, report, told, made = played("open_question")
    (point,) = report["assumptions"]
    assert (point["standing"], point["question"]) == ("contested", "What should `to_binary(-5)` return or raise?")
    assert "open question: a negative number raises ValueError" in told
    assert "test_negative_numbers_are_refused" not in (made / "test_binary.py").read_text(encoding="utf-8")
    assert point["source"] in (made / "SPEC.md").read_text(encoding="utf-8")


@needs_container
def test_without_a_prompt_the_rate_limiter_is_played_and_its_race_is_caught(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "src.main", "--json", "--out", "made"],
        cwd=tmp_path,
        env={**LEAST_ENVIRONMENT, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert "test_counted_times_stay_in_order_when_two_threads_arrive_together" in done.stderr
    assert report["test_results"]["counts"] == {"collected": 6, "passed": 6, "failed": 0, "errors": 0, "other": 0}


@needs_container
def test_a_suite_that_was_changed_after_a_failure_says_so_everywhere(played: Callable[[str], Played]) -> None:
    _code, report, told, made = played("disputed_test")
    (dispute,) = report["disputes"]
    assert (dispute["tests"], dispute["decision"]) == (["test_the_end_day_does_not_count"], "amended")
    assert "-    assert working_days(MONDAY, date(2026, 11, 6)) == 5" in dispute["difference"]
    changed = "the suite was changed after a failure (test_the_end_day_does_not_count)"
    assert changed in report["reason"]
    assert changed in told
    spec = (made / "SPEC.md").read_text(encoding="utf-8")
    assert "## The suite was changed after a failure" in spec
    assert dispute["difference"].splitlines()[-2] in spec
    assert "== 4" in (made / "test_calendars.py").read_text(encoding="utf-8")


@needs_container
def test_what_is_delivered_is_what_was_tested(played: Callable[[str], Played]) -> None:
    _code, report, _told, made = played("never_healed")
    assert {path.name for path in made.iterdir()} == {*report["files"], "report.json"}
    for name, digest in report["files"].items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == digest
    assert "UNVERIFIED" in (made / "UNVERIFIED.md").read_text(encoding="utf-8")
    assert (made / "bills.py").read_text(encoding="utf-8").startswith('"""Splitting a bill."""')


@needs_container
def test_the_delivered_suite_passes_outside_too(played: Callable[[str], Played]) -> None:
    made = played("healed_in_two").made
    strict = ["-W", "error", "--strict-markers", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *strict, "test_durations.py"]
    done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_prompt_without_a_key_lists_the_ways_to_give_it_a_model(tmp_path: Path, forks: Forks) -> None:
    assert forks(tmp_path, LEAST_ENVIRONMENT, ["--prompt", "add two numbers"]) == 2
    assert (tmp_path / "stdout").read_text() == ""
    told = (tmp_path / "stderr").read_text()
    for way in ["GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "--prompt"]:
        assert way in told
