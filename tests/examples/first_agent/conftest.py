"""The programs as a person runs them: scripted, with a database of the test's own, and nobody at a terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from examples.first_agent.shown import SCRIPT
from src.models.scripted import ScriptedChat, ScriptedReply, load_script


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go into the test's folder."""
    monkeypatch.setenv("RUNS_PATH", str(tmp_path / "runs.sqlite"))


@pytest.fixture
def scripted() -> ScriptedChat:
    """The agent with the replies of the example."""
    return ScriptedChat(who="agent", replies=load_script(SCRIPT))


@pytest.fixture
def answering() -> Callable[..., ScriptedChat]:
    """An agent with replies of the test: what is said, and what it answers (text, or calls of tools)."""

    def make(replies: dict[str, str | list[tuple[str, dict[str, Any]]]]) -> ScriptedChat:
        lines = [
            {"when": when, "reply": reply}
            if isinstance(reply, str)
            else {"when": when, "tool_calls": [{"name": name, "args": args} for name, args in reply]}
            for when, reply in replies.items()
        ]
        return ScriptedChat(
            who="agent", replies=tuple(ScriptedReply.model_validate({"who": "agent", **line}) for line in lines)
        )

    return make
