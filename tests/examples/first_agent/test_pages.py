"""The page of the example shows the graphs as they are, and what the programs say."""

from collections.abc import Callable
from pathlib import Path

import pytest

from examples.first_agent import __file__ as package
from examples.first_agent import approval, correct, feedback, loop, time_travel
from examples.first_agent.shown import say
from src.approvals import Decision
from tests.examples.graphs import GRAPHS

PAGE = Path(package).with_name("README.md").read_text(encoding="utf-8")
BEGUN = {"approval": "book-table-for-579e", "feedback": "new-bicycle-shed-36fb"}
LATER = Decision(decision="reject", notes="at eight, please")
MORE = Decision(decision="edit", texts={"people": "6"})
WARMER = Decision(decision="reject", notes="warmer, please")


@pytest.mark.parametrize("name", ["loop", "approval", "feedback"])
def test_its_pictures_are_the_graphs(name: str) -> None:
    assert f"```mermaid\n{GRAPHS[name]().get_graph(xray=True).draw_mermaid(with_styles=False)}```" in PAGE


@pytest.mark.parametrize(
    "play",
    [
        lambda: loop.talk(replay=True),
        lambda: (
            approval.talk(replay=True),
            approval.talk(thread=BEGUN["approval"], given=[LATER], replay=True),
            approval.talk(thread=BEGUN["approval"], given=[MORE], replay=True),
        ),
        lambda: correct.talk(replay=True),
        lambda: (
            feedback.talk(replay=True),
            feedback.talk(thread=BEGUN["feedback"], given=[WARMER], replay=True),
        ),
        lambda: time_travel.talk(replay=True),
    ],
    ids=["loop", "approval", "correct", "feedback", "time_travel"],
)
def test_its_captures_are_what_the_programs_say(
    play: Callable[[], object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(approval, "new_run_id", lambda _question: BEGUN["approval"])
    monkeypatch.setattr(feedback, "new_run_id", lambda _subject: BEGUN["feedback"])
    play()
    said = [line for line in capsys.readouterr().out.splitlines() if "UTC" not in line and "replies answer" not in line]
    for line in said:
        shown = line[line.index("python -m") :].partition(" --")[0] if "python -m" in line else line
        # The page leaves out a question that it has shown before.
        assert shown in PAGE or shown.startswith(("  time: 20:00", "  text: Welcome")), line
    assert len(said) >= 3


def test_what_a_model_says_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("model    \x1b[2J\x1b]0;owned\x07fine\x1bc")
    assert capsys.readouterr().out == "model    fine\n"
