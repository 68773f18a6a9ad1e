"""What a run asks is put to whoever sits at the terminal; elsewhere it ends with the command that answers."""

import io
import sys

import pytest

from src.approvals import Approval, decided, pending
from src.cli.ask import ask_on_terminal, choose_asker, how_to_answer, nobody
from src.cli.console import console_on
from src.cli.plain import PlainView
from src.errors import ConfigurationError

APPROVAL = Approval(
    matter="assumption",
    question="What should `f(-1)` return or raise?\x1b[2J",
    background="The architect assumed: it raises.",
    options=("raises ValueError", "leave open"),
    free_text=True,
)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> str | None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return ask_on_terminal(APPROVAL)


def test_an_option_is_chosen_by_its_letter_or_other_words_are_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, "b\n") == "leave open"
    assert typed(monkeypatch, "  returns   7\n") == "returns 7"
    shown = capsys.readouterr().err
    assert "a) raises ValueError" in shown
    assert "\x1b[2J" not in shown


def test_an_answer_that_is_none_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(monkeypatch, "\na)\n") == "raises ValueError"
    assert "Again: The answer is empty." in capsys.readouterr().err


def test_the_end_of_the_input_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(monkeypatch, "") is None


def test_nobody_is_asked_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n"))
    asker = choose_asker(PlainView(console_on(io.StringIO())))
    assert asker is nobody
    assert asker(APPROVAL) is None


def test_the_command_that_answers_is_told_with_the_ways_to_answer() -> None:
    told = how_to_answer("a-run-1", APPROVAL)
    assert "b) leave open" in told
    assert told.endswith("resume a-run-1 --answer 'raises ValueError'")


@pytest.mark.parametrize("answer", ["", " \n", "\x00", "x" * 5000])
def test_a_malformed_answer_is_refused(answer: str) -> None:
    strict = APPROVAL.model_copy(update={"free_text": False})
    with pytest.raises(ConfigurationError):
        decided(strict, answer)


def test_what_another_version_asked_is_not_answered() -> None:
    with pytest.raises(ConfigurationError, match="cannot ask"):
        pending({"matter": "something else"})
