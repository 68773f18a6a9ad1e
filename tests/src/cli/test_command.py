"""The real command, in a process of its own: exit codes, what goes to which stream, how it starts and ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from src import __version__
from tests.src.cli.conftest import ARCHITECT, GREEN, HEALED, NEVER, ROOT, Command, Program

Transcript = Callable[..., Path]

HEAVY = ("docker", "jinja2", "langchain_core", "langgraph", "openai", "pydantic_settings", "sandbox")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["resume", "--help"], ["doctor", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    spy = (
        "import atexit, sys\n"
        f"atexit.register(lambda: sys.stderr.write(repr([m for m in {HEAVY!r} if m in sys.modules])))\n"
        f"sys.argv = ['selfheal', *{words!r}]\n"
        "from src.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", spy], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "[]")
    assert done.stdout


def test_the_version_is_told(command: Command) -> None:
    assert command("--version").stdout == f"selfheal {__version__}\n"


def test_verified_is_0_and_the_files_are_there(command: Command, transcript: Transcript) -> None:
    done = command("--replay", str(transcript(HEALED)), "--out", "out", SANDBOX_BACKEND="subprocess")
    assert done.returncode == 0, done.stderr
    assert "VERIFIED: all 1 tests passed" in done.stdout
    assert "isolates nothing" in done.stdout
    assert "\x1b" not in done.stdout
    assert (command.project / "out" / "solution.py").read_text() == "def answer():\n    return 42\n"


def test_unverified_is_1(command: Command, transcript: Transcript) -> None:
    done = command("--replay", str(transcript(NEVER)), "--out", "out", "--max-iterations", "1", "--quiet")
    assert done.returncode == 1, done.stderr
    assert "UNVERIFIED: " in done.stdout
    assert (command.project / "out" / "UNVERIFIED.md").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--prompt", ""], "empty"),
        (["--prompt", "a", "--prompt-file", "b"], "both given"),
        (["--prompt-file", "nowhere.md"], "nowhere.md cannot be read"),
        (["--prompt-file", "binary"], "UTF-8"),
        (["--prompt", "-"], "Standard input"),
        (["--prompt", "a", "--module-name", "a-b"], "--module-name"),
        (["--prompt", "a", "--out", "binary"], "not a folder"),
        (["--prompt", "a", "--out", "taken"], "solution.py"),
        (["--prompt", "a", "--record", "binary"], "there already"),
        (["--replay", "binary"], "binary"),
        (["--replay", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--example", "nothing"], "rate_limiter"),
        (["--max-iterations", "-1"], "--max-iterations"),
        (["--nonsense"], "--nonsense"),
        (["nonsense"], "nonsense"),
        (["--quiet", "doctor"], "--quiet belongs to a run"),
        (["resume"], "RUN"),
        (["resume", "nobody"], "no run called 'nobody'"),
        (["--prompt", "a"], "GEMINI_API_KEY"),
    ],
)
def test_wrong_usage_is_2_and_says_what_is_wrong(command: Command, words: list[str], told: str) -> None:
    (command.project / "binary").write_bytes(b"\xff\x00")
    (command.project / "taken").mkdir()
    (command.project / "taken" / "solution.py").write_text("mine")
    done = command(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not (command.project / "out").exists()


def test_a_setting_that_is_wrong_is_2(command: Command) -> None:
    done = command(SANDBOX_BACKEND="cloud")
    assert done.returncode == 2
    assert "SANDBOX_BACKEND" in done.stderr
    assert "docker" in done.stderr


def test_an_engine_that_is_away_is_5(program: Program) -> None:
    with (program.project / "sandbox" / "prereqs.py").open("a") as source:
        source.write("\n\ndef well_known_sockets():\n    return iter(())\n")  # as on a machine that has none
    away = f"unix://{program.project}/no.sock"
    process = program("--json", "--out", "out", SANDBOX_BACKEND="docker", DOCKER_HOST=away)
    out, complaints = process.communicate(timeout=120)
    assert process.returncode == 5, complaints
    assert json.loads(out)["problem"]["message"]
    assert not (program.project / "out").exists()


def test_a_provider_that_fails_is_6_and_what_was_reached_is_delivered(command: Command, transcript: Transcript) -> None:
    done = command("--replay", str(transcript(GREEN[:1])), "--out", "out", "--json")
    assert done.returncode == 6, done.stderr
    report = json.loads(done.stdout)
    assert (report["verdict"], report["exit_code"]) == ("UNVERIFIED", 6)
    assert (command.project / "out" / "test_solution.py").exists()
    assert "resume" in done.stderr


def test_standard_output_is_the_report_and_nothing_else(command: Command, transcript: Transcript) -> None:
    done = command("--replay", str(transcript(HEALED)), "--out", "out", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report == json.loads((command.project / "out" / "report.json").read_text())
    assert report["replayed"]["kind"] == "scripted"
    assert "SCRIPTED EXAMPLE" in done.stderr


def test_the_request_may_come_over_standard_input(command: Command, transcript: Transcript) -> None:
    done = command("--prompt", "-", "--replay", str(transcript(GREEN)), "--out", "out", "--json", stdin="Zoë".encode())
    assert json.loads(done.stdout)["user_request"] == "Zoë"


def test_a_reader_that_goes_away_does_not_end_the_run(program: Program, transcript: Transcript) -> None:
    process = program("--replay", str(transcript(GREEN)), "--out", "out")
    assert process.stdout is not None
    process.stdout.close()
    _, complaints = process.communicate(timeout=120)
    assert (process.returncode, complaints) == (0, "")
    assert (program.project / "out" / "report.json").exists()


def test_letters_that_the_terminal_lacks_do_not_end_the_run(program: Program, transcript: Transcript) -> None:
    script = transcript([], title="Zoë 漢")
    process = program("--replay", str(script), "--out", "out", PYTHONIOENCODING="ascii")
    shown, complaints = process.communicate(timeout=120)
    assert process.returncode == 6, complaints
    assert "Zo? ?" in shown


def test_an_interrupted_run_is_130_and_goes_on_where_it_was(command: Command, transcript: Transcript) -> None:
    mark = '@pytest.mark.property("the answer is known to be large")'
    sleep = f"{mark}\ndef test_slowly():\n    assert answer() > 9\n    for _ in range(60):\n        sleep(1)\n\n\n"
    slow = ARCHITECT.replace("@pytest", f"{sleep}@pytest", 1)
    slow = slow.replace("from solution", "from time import sleep\n\nfrom solution")
    script = transcript([("architect", slow), *HEALED[1:]])
    words = ("--replay", str(script), "--out", "out", "--json", "--no-second-reading")
    slowly = command.environment(SANDBOX_BACKEND="subprocess", SANDBOX_SECONDS="100")
    pid = command.forks.start(command.project, slowly, words)
    told = command.project / "stderr"
    while "test_runner started" not in told.read_text():
        time.sleep(0.05)
    os.kill(pid, signal.SIGINT)
    assert command.forks.ended(pid) == 130, told.read_text()
    report = json.loads((command.project / "stdout").read_text())
    assert (report["exit_code"], report["usage"]["total"]["calls"]) == (130, 2)
    (line,) = (line for line in told.read_text().splitlines() if "Go on with: " in line)
    assert line.endswith(f"Go on with: selfheal resume {report['run_id']}")
    again = command("resume", report["run_id"], "--json", SANDBOX_BACKEND="subprocess", SANDBOX_SECONDS="1")
    assert again.returncode == 6, again.stderr  # the suite never ends, so that the one patch is not enough
    assert json.loads(again.stdout)["test_results"]["status"] == "timeout"


def test_a_fault_of_ours_is_70_and_no_verdict(program: Program) -> None:
    (program.project / "src" / "cli" / "run.py").write_text("raise ZeroDivisionError('a bug')\n")
    process = program()
    _, complaints = process.communicate(timeout=120)
    assert process.returncode == 70
    assert "ZeroDivisionError: a bug" in complaints
    assert "fault of selfheal" in complaints
