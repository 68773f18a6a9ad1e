"""Forks side by side, by the real command: what ends all of them."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest

from src.cli.console import console_on
from src.cli.table import print_table
from tests.chat_server import Answer, ChatServer
from tests.src.cli.conftest import ARCHITECT, NO_PATCH, PATCH, REVIEW, WRONG, Command

FORK = ("fork", "first", "--at", "4", "--model", "debugger=openai:good", "--model", "debugger=openai:bad")


class Patient(ChatServer):
    """Keeps the debuggers of the forks waiting until it is told to answer."""

    def __init__(self) -> None:
        self.waiting, self.go_on = threading.Semaphore(0), threading.Event()
        alone = {"architect": [ARCHITECT], "developer": [WRONG], "debugger": [NO_PATCH], "reviewer": [REVIEW]}
        super().__init__({**alone, "good": [PATCH], "bad": [NO_PATCH]})

    def next_reply(self, role: str) -> Answer:
        if role in ("good", "bad"):
            self.waiting.release()
            self.go_on.wait(60)
        return super().next_reply(role)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked is gone."""


@pytest.fixture
def server() -> Iterator[Patient]:
    with Patient() as server:
        yield server
        server.go_on.set()
        server.shutdown()


@pytest.fixture
def environment(command: Command, server: Patient) -> Any:
    """Where there is a run, `first`, that was not healed."""
    environment = server.environment(SECOND_READING="off", MAX_DEBUG_ITERATIONS="1")
    assert command("--prompt", "Answer.", "--thread", "first", "--quiet", **environment).returncode == 1
    return environment


def test_an_interruption_ends_all_forks_at_once_and_each_can_go_on(
    command: Command, server: Patient, environment: Any
) -> None:
    words = [*FORK, "--thread", "t", "--json"]
    pid = command.forks.start(command.project, command.environment(**environment), words)
    for _fork in range(2):
        assert server.waiting.acquire(timeout=60)
    os.kill(pid, signal.SIGINT)
    assert command.forks.ended(pid) == 130, "although no model has answered"
    reports = json.loads((command.project / "stdout").read_text(encoding="utf-8"))
    assert [report["problem"]["message"] for report in reports] == ["The run was interrupted."] * 2
    assert "t-2\tdebugger=openai:bad\tUNVERIFIED" in (command.project / "stderr").read_text(encoding="utf-8")
    server.go_on.set()
    assert command("resume", "t-1", "--quiet", **environment).returncode == 0
    assert (server.asked["good"], server.asked["architect"]) == (2, 1)


def test_forks_share_one_budget_and_end_with_4_before_a_call_that_could_cross_it(
    command: Command, server: Patient, environment: Any
) -> None:
    done = command(*FORK, "--thread", "t", "--max-tokens", "10", "--json", **environment)
    assert done.returncode == 4
    assert ["budget of 10 tokens" in report["problem"]["message"] for report in json.loads(done.stdout)] == [True] * 2
    assert server.asked["good"] + server.asked["bad"] == 0


def test_a_table_folds_only_what_may_be_folded_and_has_tabs_where_there_is_no_terminal() -> None:
    row = (("run", "models", "verdict"), [("t-1", "debugger=openai:a-long-name", "VERIFIED, won")])
    narrow, piped = StringIO(), StringIO()
    print_table(console_on(narrow, force_terminal=True, width=30, no_color=True), *row, folded=("models",))
    print_table(console_on(piped), *row)
    assert "VERIFIED, won" in narrow.getvalue()
    assert "debugger=openai:a-long-name" not in narrow.getvalue()
    assert piped.getvalue() == "run\tmodels\tverdict\nt-1\tdebugger=openai:a-long-name\tVERIFIED, won\n"
