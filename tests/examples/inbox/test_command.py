"""The real commands, in this process: from the unread mail to the last decision."""

import json
import subprocess
import sys
from collections.abc import Callable
from mailbox import Maildir
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from examples.inbox.app import app
from examples.inbox.graph import build_inbox
from examples.inbox.send import build_letter

ROOT = Path(__file__).parents[3]
README = (ROOT / "examples" / "inbox" / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _kept_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNS_PATH", str(tmp_path / "runs.sqlite"))


def inbox(*words: str) -> Result:
    return CliRunner().invoke(app, words, catch_exceptions=False)


def sent(tmp_path: Path) -> list[tuple[str, str]]:
    folder = Maildir(tmp_path / "inbox" / "mail").get_folder("Sent")
    return [(message["To"], str(message.get_payload())) for message in folder]


def waiting() -> list[str]:
    return [approval["about"] for approval in json.loads(inbox("waiting", "--json").stdout)]


def test_from_the_unread_mail_to_the_last_decision_from_command_to_command(tmp_path: Path) -> None:
    assert inbox("remember", "25-minute meetings, none before 10").exit_code == 0
    begun = inbox("--replay")
    assert begun.exit_code == 3
    assert begun.stdout.startswith("Scripted replies answer; no model is called.")
    bea, printworks, omar = waiting()
    told = begun.stderr
    for shown in (
        "to: bea@lind.example",
        "subject: Re: The offer",
        "at 10:30 would suit me",
        "is a contact: Bea Lind.",
    ):
        assert shown in told
    assert f"-m examples.inbox decide {omar} --decision approve\n" in told
    assert sent(tmp_path) == []

    approved = inbox("decide", omar, "--decision", "approve")
    assert approved.exit_code == 3, "two others wait"
    assert [to for to, _ in sent(tmp_path)] == ["omar@vale.example"]
    assert inbox("decide", omar, "--decision", "approve").exit_code == 2, "it does not wait any more"
    assert inbox().exit_code == 3, "to begin again is to go on: nothing is done twice"
    assert inbox("decide", printworks, "--decision", "reject", "--notes", "warmer").exit_code == 3
    assert "Dear colleagues" in inbox("waiting").stdout
    (tmp_path / "body.txt").write_text("No.\n")
    edited = inbox(
        "decide", printworks, "--decision", "edit", "--body", str(tmp_path / "body.txt"), "--subject", "Re: it"
    )
    assert edited.exit_code == 3
    assert inbox("decide", bea, "--decision", "abort").exit_code == 0
    assert sorted(sent(tmp_path))[0] == ("accounts@printworks.example", "No.\n")
    assert len(sent(tmp_path)) == 2
    assert "No draft waits." in inbox("waiting").stdout
    assert "There is no unread mail." in inbox().stdout
    trail = json.loads(inbox("audit", "--json").stdout)
    assert [entry["action"] for entry in trail if entry["role"] == printworks] == ["sent back", "edited", "sent"]


def test_the_run_that_the_readme_shows_is_what_the_program_says() -> None:
    inbox("remember", "25-minute meetings, none before 10")
    named: dict[str, str] = {}
    shown = inbox("--replay").stdout
    for number, name in enumerate(waiting()):
        named[name] = ("draft-4c1d07", "draft-93be52", "draft-e08a6f")[number]
    for line in shown.splitlines():
        for name, instead in named.items():
            line = line.replace(name, instead)
        assert line in README.splitlines()


@pytest.mark.parametrize("words", [("decide", "x", "--decision", "approve"), ("decide", "x"), ("forget", "x")])
def test_what_is_not_there_is_told(words: tuple[str, ...]) -> None:
    ended = inbox(*words)
    assert ended.exit_code == 2
    assert "Error: " in ended.stderr


def test_preferences_are_the_owners_to_keep_and_to_forget() -> None:
    inbox("remember", "none before 10")
    (kept,) = json.loads(inbox("preferences", "--json").stdout)
    assert "from 10:00 to 17:00" in inbox("preferences").stdout
    assert inbox("forget", kept["key"]).exit_code == 0
    assert json.loads(inbox("preferences", "--json").stdout) == []


@pytest.mark.parametrize("picture", [lambda: build_inbox().get_graph(), lambda: build_letter().get_graph(xray=True)])
def test_the_pictures_in_the_readme_are_the_compiled_graphs(picture: Callable[[], Any]) -> None:
    assert picture().draw_mermaid(with_styles=False) in README


def test_help_answers_at_once() -> None:
    program = "import sys\nfrom examples.inbox.app import app\napp(['--help'], standalone_mode=False)\n"
    program += "assert not {'langgraph', 'langchain_core', 'rich'} & set(sys.modules), 'too much is imported'"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "waiting" in done.stdout
