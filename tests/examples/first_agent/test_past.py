"""A state corrected while paused, and travel in time."""

from collections.abc import Callable

import pytest

from examples.first_agent import correct, time_travel
from examples.first_agent.__main__ import play
from src.models.assistants import Assistants
from src.models.scripted import ScriptedChat


def test_a_corrected_question_takes_the_place_of_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    correct.talk(replay=True)
    told = capsys.readouterr().out
    assert "multiply(a=2, b=3)" in told
    assert "= 6" not in told, "the call of the first question is never made"
    assert "5 x 5 = 25." in told
    assert "4 messages, one question among them" in told


def test_a_model_that_needs_no_tool_leaves_nothing_to_correct(
    answering: Callable[..., ScriptedChat], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chat = answering({"": "6"})
    monkeypatch.setattr(correct, "opened", lambda _replay: Assistants("told", True, lambda _who: chat, tuple))
    assert correct.talk() == 0
    assert "nothing left to correct" in capsys.readouterr().out


def test_a_fork_has_another_past_and_leaves_the_old_one(capsys: pytest.CaptureFixture[str]) -> None:
    time_travel.talk(replay=True)
    before, _, after = capsys.readouterr().out.partition("A fork")
    assert "Hello, Robin!" in before
    assert "Hello, Alex!" not in before
    assert "Hello, Alex!" in after
    assert "5 checkpoints before, 11 now" in after


def test_all_five_can_be_played_in_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert play() == 0
    told = capsys.readouterr().out
    assert told.count("=== python -m examples.first_agent.") == 5
    assert "Done. Booked: Kolonihagen, 6 people, 20:00." in told
    assert "approved Welcome" in told
