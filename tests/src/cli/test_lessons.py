"""`selfheal lessons`, by the real command."""

import json
import os
import pty
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.fake import FakeSandbox
from src.cli.lessons import edit_command
from src.errors import ConfigurationError
from src.runs import Address
from src.runs.shelf import open_shelf
from tests.chat_server import ChatServer
from tests.conftest import RunsReadOnce, Team
from tests.src.cli.conftest import ARCHITECT, PATCH, REVIEW, WRONG, Command
from tests.src.runs.test_travel import HEALED, judge


@contextmanager
def terminal() -> Iterator[None]:
    """Somebody sits at a terminal."""
    ours, theirs = pty.openpty()
    with os.fdopen(os.dup(theirs)) as typed, os.fdopen(theirs, "w") as shown, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", typed)
        patch.setattr(sys, "stdout", shown)
        yield
    os.close(ours)


def test_without_a_terminal_and_a_text_a_lesson_stays_as_it_is() -> None:
    with pytest.raises(ConfigurationError, match="no terminal") as refused:
        edit_command("bfb", None)
    assert "--text" in refused.value.remedy


def test_a_person_changes_a_lesson_in_an_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LESSONS_PROJECT", "here")
    monkeypatch.setenv("EDITOR", "sed -i s/zero/one/")
    healed = HEALED | {"debugger": [PATCH.replace("one too low", "counted from zero")]}
    crew = Team(FakeSandbox(judge, series=judge), "a", **healed)
    RunsReadOnce(Path(".selfheal/runs.sqlite"), min_tests=1).start("Answer.", crew.context, lessons="here")
    with open_shelf(Address(Path(".selfheal/runs.sqlite")), "here") as shelf:
        with terminal():
            assert edit_command(shelf.all()[0][0].key[:5], None) == 0
        assert [one.cause for one, _ in shelf.all()] == ["The answer was counted from one."]


def meaning(text: str) -> list[float]:
    return [1.0, float("question" in text or "Reply" in text)]


def test_a_lesson_is_found_by_its_meaning_and_a_model_that_is_out_of_order_ends_no_run(command: Command) -> None:
    replies = {"architect": [ARCHITECT], "developer": [WRONG], "debugger": [PATCH], "reviewer": [REVIEW]}
    with ChatServer(replies) as server:
        server.meaning = meaning
        environment = server.environment(
            SECOND_READING="off", LESSONS_PROJECT="here", EMBEDDING_MODEL="openai:embedder", EMBEDDING_PRICE="1"
        )
        first = command("--prompt", "Answer the question.", "--quiet", **environment)
        assert (first.returncode, server.asked["embedder"]) == (0, 0), first.stderr
        second = command("--prompt", "Reply.", "--json", **environment)
        report = json.loads(second.stdout)
        assert "The answer was one too low." in str(server.requests[-4])
        assert report["usage"]["by_role"]["embedding"] == report["usage"]["by_role"]["embedding"] | {
            "calls": 1,
            "input_tokens": 100,
            "cost": 0.0001,
        }
        server.meaning = None
        third = command("--prompt", "Answer the question.", "--json", **environment)
        assert third.returncode == 0
        assert "Lessons are found by their words." in third.stderr
        assert json.loads(third.stdout)["audit"][0]["gate"] == "embedding"
        server.shutdown()
    refused = command("--prompt", "Answer.", EMBEDDING_MODEL="gemini:gemini-embedding-001", **server.environment())
    assert (refused.returncode, "GEMINI_API_KEY (or GOOGLE_API_KEY) is not set" in refused.stderr) == (2, True)


def test_what_a_run_has_repaired_is_listed_changed_and_forgotten(command: Command) -> None:
    replies = {"architect": [ARCHITECT], "developer": [WRONG], "debugger": [PATCH], "reviewer": [REVIEW]}
    with ChatServer(replies) as server:
        environment = server.environment(SECOND_READING="off")
        assert command("--prompt", "Answer.", "--thread", "first", "--quiet", **environment).returncode == 0
        assert command("--prompt", "Answer.", "--no-lessons", "--quiet", **environment).returncode == 0
        server.shutdown()
    (lesson,) = json.loads(command("lessons", "list", "--json").stdout)
    assert (lesson["cause"], lesson["run_id"], lesson["saw"]) == ("The answer was one too low.", "first", 0)
    changed = command("lessons", "edit", lesson["key"][:6], "--text", "Count \x1b[31mfrom one.")
    assert changed.returncode == 0, changed.stderr
    assert command("lessons", "list").stdout.endswith("Count from one.\n")
    assert command("lessons", "forget", changed.stdout.split()[3]).stdout == "Forgotten: Count from one.\n"
    assert json.loads(command("lessons", "list", "--json").stdout) == []
