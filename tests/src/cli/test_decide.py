"""A decision at the real command: typed on a terminal with an editor, or given by options where there is none."""

import json
import os
import pty
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from src.approvals import Approval, Decision, taken
from src.cli.decide import given_answer, how_to_decide, keys_of
from src.cli.editor import edited
from src.errors import ConfigurationError
from tests.src.cli.conftest import ARCHITECT, REVIEW, RIGHT, WRONG, Command

Transcript = Callable[..., Path]
APPROVED = [("architect", ARCHITECT), ("developer", WRONG), ("developer", RIGHT), ("reviewer", REVIEW)]
MINE = "def answer():\n    return 42  # written by hand\n"


class Terminal:
    """The real command on a terminal of its own, spoken to as a person would."""

    def __init__(self, command: Command, *words: str, **extra: str) -> None:
        self.screen = ""
        self._fd, slave = pty.openpty()
        self._forks = command.forks
        environment = command.environment(COLUMNS="80", TERM="xterm", **extra)
        self.pid = self._forks.start(command.project, environment, words, terminal=os.ttyname(slave))
        os.close(slave)

    def until(self, text: str) -> str:
        """Read until `text` stands there; what was read since the last time."""
        read = ""
        while text not in read:
            try:
                piece = os.read(self._fd, 4096)
            except OSError:  # the other end is closed
                piece = b""
            assert piece, f"{text!r} never came:\n{self.screen}{read}"
            read = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", read + piece.decode("utf-8", "replace"))
        self.screen += read
        return read

    def types(self, line: str) -> None:
        os.write(self._fd, f"{line}\n".encode())

    def ends(self) -> int:
        """The exit code, once all is read."""
        try:
            while piece := os.read(self._fd, 4096):
                self.screen += piece.decode("utf-8", "replace")
        except OSError:
            pass
        os.close(self._fd)
        return self._forks.ended(self.pid)


def editor(folder: Path, text: str) -> str:
    """A command that puts `text` in place of whatever it is given, as an editor that is steered by hand would."""
    script = folder / "editor.py"
    script.write_text(f"import pathlib, sys\npathlib.Path(sys.argv[1]).write_text({text!r})\n")
    return f"{sys.executable} {script}"


def test_on_a_terminal_a_person_sends_back_and_approves(command: Command, transcript: Transcript) -> None:
    at = Terminal(command, "--replay", str(transcript(APPROVED)), "--no-second-reading", "--approve", "code")
    shown = at.until("Decision: ")
    assert "Shall this module be tested?" in shown
    assert "return 41" in shown
    at.types("maybe")
    assert "none of a, e, r, q" in at.until("Decision: ")
    at.types("r")
    at.until("empty line:")
    at.types("It is 42.")
    at.types("")
    assert "return 42" in at.until("Decision: ")
    at.types("approve")
    assert at.ends() == 0, at.screen
    assert "VERIFIED: all 1 tests passed" in at.screen


def test_on_a_terminal_an_edit_is_made_in_the_editor_and_a_refused_one_is_told(
    command: Command, transcript: Transcript, tmp_path: Path
) -> None:
    words = ("--replay", str(transcript(APPROVED)), "--no-second-reading", "--out", "out")
    at = Terminal(command, *words, APPROVE="code", EDITOR=editor(tmp_path, "def other():\n    pass\n"))
    at.until("Decision: ")
    at.types("e")
    assert "does not define `answer`" in at.until("Decision: ")
    editor(tmp_path, MINE)
    at.types("e")
    assert at.ends() == 0, at.screen
    assert (command.project / "out" / "solution.py").read_text() == MINE


def test_the_end_of_the_input_on_a_terminal_pauses_the_run(command: Command, transcript: Transcript) -> None:
    at = Terminal(command, "--replay", str(transcript(APPROVED)), "--no-second-reading", "--approve", "code")
    at.until("Decision: ")
    at.types("\x04")
    assert at.ends() == 3, at.screen


@pytest.fixture
def paused(command: Command, transcript: Transcript) -> Command:
    replay = str(transcript(APPROVED))
    words = ("--replay", replay, "--no-second-reading", "--approve", "code", "--thread", "r", "--out", "out")
    done = command(*words)
    assert done.returncode == 3, done.stderr
    assert "UNVERIFIED: paused: waits for a decision. Shall this module be tested?" in done.stdout
    assert "resume r --decision approve" in done.stderr
    return command


def test_a_paused_run_is_delivered_as_paused_and_decided_by_options(paused: Command) -> None:
    out = paused.project / "out"
    report = json.loads((out / "report.json").read_text())
    assert (report["verdict"], report["exit_code"]) == ("UNVERIFIED", 3)
    assert report["waits_for"]["texts"] == {"code": "def answer():\n    return 41\n"}
    told = (out / "UNVERIFIED.md").read_text()
    assert "paused: waits for a decision" in told
    assert "resume r --decision edit --code FILE" in told
    assert (out / "SPEC.md").read_text().startswith("> UNVERIFIED: paused")

    assert paused("resume", "r", "--decision", "reject").returncode == 2, "notes are missing"
    refused = paused.project / "refused.py"
    refused.write_text("def other():\n    pass\n")
    done = paused("resume", "r", "--decision", "edit", "--code", "refused.py")
    assert done.returncode == 3, done.stderr
    assert "Your edit was refused: The module does not define `answer`" in done.stderr
    done = paused("resume", "r", "--decision", "reject", "--notes", "It is 42.")
    assert done.returncode == 3, done.stderr
    done = paused("resume", "r", "--decision", "approve")
    assert done.returncode == 0, done.stderr
    assert (paused.project / "out" / "solution.py").read_text() == "def answer():\n    return 42\n"


def test_an_aborted_run_is_unverified(paused: Command) -> None:
    done = paused("resume", "r", "--decision", "abort", "--notes", "Not today.")
    assert done.returncode == 1, done.stderr
    assert "UNVERIFIED: aborted by a person" in done.stdout
    report = json.loads((paused.project / "out" / "report.json").read_text())
    assert (report["reason"], report["waits_for"]) == ("aborted by a person", None)


@pytest.mark.parametrize(
    ("answer", "decision", "notes", "files"),
    [
        ("a", "approve", None, {}),
        (None, "approve", None, {"code": Path("nothing there")}),
        (None, None, None, {"code": Path("x.py")}),
        (None, "perhaps", None, {}),
    ],
)
def test_options_that_do_not_fit_are_refused(
    answer: str | None, decision: str | None, notes: str | None, files: dict[str, Path | None]
) -> None:
    with pytest.raises(ConfigurationError):
        given_answer(answer, decision, notes, files)


def test_a_file_is_read_as_the_text_of_an_edit(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_bytes(b"x = 1\r\n")
    given = given_answer(None, "edit", None, {"code": tmp_path / "mine.py", "spec": None})
    assert given == Decision(decision="edit", texts={"code": "x = 1\n"})
    assert Approval(matter="code", question="?", texts={"code": ""}).texts == {"code": ""}


CASE = Approval(
    matter="complaint",
    question="What becomes of it?",
    decisions=("escalate", "compensate", "close"),
    explained=("close",),
)


def test_a_question_about_something_else_than_a_text_has_decisions_of_its_own() -> None:
    assert keys_of(CASE) == {"e": "escalate", "c": "compensate", "l": "close"}
    assert taken(CASE, {"decision": "compensate"}) == Decision(decision="compensate")
    with pytest.raises(ConfigurationError, match="approve is not one of"):
        taken(CASE, {"decision": "approve"})
    with pytest.raises(ConfigurationError, match="Notes are missing"):
        taken(CASE, {"decision": "close"})
    assert given_answer(None, " Escalate ", None, {}, CASE.decisions) == Decision(decision="escalate")


def test_another_program_says_its_own_commands() -> None:
    told = how_to_decide("a-thread", CASE, "examples.support_desk")
    assert "-m examples.support_desk resume a-thread --decision compensate\n" in told
    assert told.endswith("--decision close --notes TEXT")


def test_an_editor_that_is_no_command_is_said_to_be_none() -> None:
    with pytest.raises(ConfigurationError, match="No closing quotation"):
        edited("code", "x = 1", "vi '")
