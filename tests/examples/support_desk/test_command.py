"""The real command, in this process: a whole scripted conversation from one command to the next."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from examples.support_desk.app import app
from examples.support_desk.places import CUSTOMER
from examples.support_desk.shop import Shop

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNS_PATH", str(tmp_path / "runs.sqlite"))


def desk(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, words, input=stdin, catch_exceptions=False)


def test_the_scripted_conversation_from_pause_to_pause_as_the_readme_shows_it(tmp_path: Path, desk_readme: str) -> None:
    begun = desk("--thread", "demo", "--replay")
    assert begun.exit_code == 3
    assert begun.stdout.startswith("Scripted replies answer; no model is called.")
    assert begun.stdout in desk_readme
    assert "-m examples.support_desk resume demo --decision approve\n" in begun.stderr
    booked = desk("resume", "demo", "--decision", "approve")
    assert booked.exit_code == 3, "an angry customer waits"
    assert "desk        79.90 for ORD-1001 is on its way back to you." in booked.stdout
    assert desk("resume", "demo", "--decision", "approve").exit_code == 2, "that is no answer to this question"
    fooled = desk("resume", "demo", "--decision", "compensate")
    assert fooled.exit_code == 3
    assert fooled.stdout[fooled.stdout.index("\ncustomer") :] in desk_readme
    last = desk("resume", "demo", "--decision", "abort")
    assert last.exit_code == 0
    assert "4 messages summed up" in last.stdout
    assert "Nothing is left to do." in desk("resume", "demo").stdout
    shop = Shop(tmp_path / "support_desk_shop.sqlite")
    assert [row["cents"] for row in shop.rows("refunds")] == [7990]
    assert [row["voucher_cents"] for row in shop.rows("complaints")] == [1000]
    audit = desk("audit", "demo").stdout
    assert "The gates refused 7 claims." in audit
    assert "refunds: booked. 79.90 for ORD-1001" in audit
    data = json.loads(desk("audit", "demo", "--json").stdout)
    assert [error["turn"] for error in data["validation_errors"]] == [1, 2, 2, 3, 4, 4, 4]
    assert [entry["action"] for entry in data["audit"] if entry["gate"] == "person"] == [
        "decided: approve",
        "decided: compensate",
    ]


def test_somebody_may_be_the_customer() -> None:
    first, *_ = CUSTOMER.read_text().splitlines()
    said = desk("chat", "mine", "--message", first, "--customer", "ada", "--replay")
    assert said.exit_code == 0
    assert "desk        ORD-1002 (coffee grinder)" in said.stdout
    piped = desk("chat", "mine", stdin="And what is the weather like?\n\n")
    assert "Which is it?" in piped.stdout
    unforeseen = desk("chat", "mine", "--message", "Do you sell boats?")
    assert unforeseen.exit_code == 6
    assert "has no reply of supervisor" in unforeseen.stderr
    assert "Go on with: " in unforeseen.stderr
    assert desk("chat", "../mine", "--message", "hello").exit_code == 2


@pytest.mark.parametrize("words", [("resume", "nobody"), ("audit", "nobody"), ("resume", "x", "--decision", "maybe")])
def test_what_does_not_exist_is_told(words: tuple[str, ...]) -> None:
    ended = desk(*words)
    assert ended.exit_code == 2
    assert "Error: " in ended.stderr
    assert ended.stdout == ""


def test_a_conversation_is_begun_once() -> None:
    desk("--thread", "demo", "--replay")
    again = desk("--thread", "demo", "--replay")
    assert again.exit_code == 2
    assert "resume demo" in again.stderr


def test_help_answers_at_once() -> None:
    program = "import sys\nfrom examples.support_desk.app import app\napp(['--help'], standalone_mode=False)\n"
    program += "assert not {'langgraph', 'langchain_core', 'rich'} & set(sys.modules), 'too much is imported'"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "resume" in done.stdout
