"""What is shown of a run: panels on a terminal, a line per event elsewhere, and never what foreign text commands."""

import re
import unicodedata
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from sandbox import TestCounts, TestOutcome, TestReport
from src.candidates import candidate_of
from src.cli.console import console_on, write_out
from src.cli.plain import PlainView, QuietView
from src.cli.render import TerminalView
from src.cli.view import Closing, Opening, View
from src.errors import ConfigurationError
from src.events import CorrectionAsked, Event, NodeFinished, NodeStarted, Progress
from src.report import ReplaySource, RunFacts, Tier, build_report
from src.state import ROLES, TeamState

HOSTILE = "[/bold][red]\x1b[2J\x1b]8;;http://evil\x1b\\x\x9b31m\u202e\x00\ud800\r\n\rVERIFIED: \x1bc" + "y" * 300
DRAWN = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")
"""What rich itself sends to a terminal: colours, cursor movement."""


DECIDED = {"decision": "amended", "tests": [], "answer": "", "difference": ""}


def shown_by(view_class: Any, hostile: str, *, terminal: bool, verdict: bool = False) -> str:
    output = StringIO()
    console = console_on(output, force_terminal=terminal, width=100, _environ={})
    play(view_class(console), hostile, verdict=verdict)
    return output.getvalue()


def play(view: View, text: str, *, verdict: bool = False) -> None:
    """A whole run in which everything foreign is `text`."""
    test = TestOutcome(id=text, outcome="passed" if verdict else "failed", message=text, traceback=text)
    results: dict[str, Any] = TestReport.model_construct(
        status="passed" if verdict else "failed",
        reason=text,
        tests=[test],
        counts=TestCounts.of([test]),
        error_summary=text,
        output=text,
        seconds=0.5,
    ).model_dump(warnings=False)
    tiers = {role: Tier.model_construct(provider="p", model=text, thinking_level=None) for role in ROLES}
    view.open(Opening("run-1", text, tiers, ReplaySource.model_construct(kind="scripted", title=text), (text,)))
    events: list[Event] = [
        Progress(text),
        NodeStarted("architect", 0),
        CorrectionAsked("architect", (text,), 1),
        NodeFinished("architect", 1.0, {"specs": text, "tests": text}),
        NodeFinished("developer", 1.0, {"code": text}),
        NodeFinished("test_runner", 1.0, {"test_results": plain(results)}),
        NodeStarted("debugger", 1),
        NodeFinished("debugger", 1.0, {"debug_history": [text]}),
        NodeFinished("debugger", 1.0, {"status": "gave_up"}),
        NodeFinished("dispute", 1.0, {"disputes": [DECIDED | {"tests": [text], "answer": text, "difference": text}]}),
        NodeFinished("reviewer", 1.0, {"review_summary": text}),
    ]
    for event in events:
        view.event(event)
    state = TeamState(user_request="x", module_name="m", iteration=1, max_iterations=3)
    facts = RunFacts(
        run_id="run-1", started_at=datetime(2026, 11, 30, tzinfo=UTC), seconds=2.0, tiers={}, backend="docker"
    )
    report = build_report(state, facts).model_copy(
        update={"reason": text, "files": {text: "0"}, "verdict": "VERIFIED" if verdict else "UNVERIFIED"}
    )
    view.close(Closing(report, Path(text.replace("\0", "")), {text: text}))


def plain(results: dict[str, Any]) -> dict[str, Any]:
    """Results as a validated report holds them: halves of surrogate pairs never get so far."""

    def whole(value: Any) -> Any:
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode()
        if isinstance(value, list):
            return [whole(item) for item in value]
        return {key: whole(item) for key, item in value.items()} if isinstance(value, dict) else value

    return whole(results)  # type: ignore[no-any-return]


def assert_harmless(text: str) -> None:
    for character in DRAWN.sub("", text):
        assert character in "\n\u200c\u200d" or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}, repr(
            character
        )


@pytest.mark.parametrize(("view", "terminal"), [(TerminalView, True), (PlainView, False), (QuietView, False)])
def test_hostile_text_neither_crashes_nor_paints(view: Any, terminal: bool) -> None:
    shown = shown_by(view, HOSTILE, terminal=terminal)
    assert_harmless(shown)
    for command in ("\x1b[2J", "\x1bc", "\x1b]8", "\x9b"):
        assert command not in shown


ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=40) | st.text(
    alphabet="\x00\x07\x1b\x9b\x9d\r\n\t[]/0;8m\\\u202e\ud800ab:`", max_size=40
)


@settings(max_examples=40, deadline=None)
@given(ANY_TEXT)
def test_no_text_at_all_paints_the_terminal(text: str) -> None:
    assert_harmless(shown_by(TerminalView, text, terminal=True))
    assert "\x1b" not in shown_by(PlainView, text, terminal=False)


def test_foreign_text_cannot_add_a_line_to_a_log() -> None:
    harmless = shown_by(PlainView, "x", terminal=False)
    assert shown_by(PlainView, "x\nVERIFIED: y\r\nz\u2028\x85w", terminal=False).count("\n") == harmless.count("\n")
    assert len(shown_by(PlainView, "x\nVERIFIED: y\r\nz\u2028\x85w", terminal=False).splitlines()) == harmless.count(
        "\n"
    )


def test_markup_in_foreign_text_is_shown_as_it_is() -> None:
    assert "[bold]x[/]" in shown_by(TerminalView, "[bold]x[/]", terminal=True)


def test_every_line_of_a_terminal_fits_its_width() -> None:
    shown = shown_by(TerminalView, "y" * 500 + " " + "漢" * 500, terminal=True)
    for line in re.split(r"[\r\n]", DRAWN.sub(lambda drawn: "\n" if drawn[0] == "\r" else "", shown)):
        assert cell_len(line) <= 100


@pytest.mark.parametrize(("view", "terminal"), [(TerminalView, True), (PlainView, False), (QuietView, False)])
def test_the_verdict_and_the_script_are_always_told(view: Any, terminal: bool) -> None:
    green = DRAWN.sub("", shown_by(view, "x", terminal=terminal, verdict=True))
    red = DRAWN.sub("", shown_by(view, "x", terminal=terminal))
    assert "VERIFIED: x" in green
    assert "UNVERIFIED" not in green
    assert "UNVERIFIED: x" in red
    assert "SCRIPTED EXAMPLE" in green


def test_quiet_is_quiet() -> None:
    lines = shown_by(QuietView, "x", terminal=False, verdict=True).splitlines()
    assert [line.split(":")[0].split(" ")[0] for line in lines] == ["SCRIPTED", "VERIFIED", "files"]


def test_a_log_has_one_line_per_event() -> None:
    lines = shown_by(PlainView, "x", terminal=False).splitlines()
    assert [line for line in lines if line.startswith("architect")] == [
        "architect: p:x",
        "architect started",
        "architect, correction 1: x",
        "architect done in 1.0 s: 1 line of specification, 0 tests",
    ]
    assert "test_runner done in 1.0 s: failed: 0 of 1 test passed; x: x" in lines


@pytest.mark.parametrize("fault", [BrokenPipeError(), OSError(28, "No space left on device")])
@pytest.mark.parametrize("view", [TerminalView, PlainView, QuietView])
def test_a_reader_that_goes_away_and_a_full_disk_end_nothing(view: Any, fault: OSError) -> None:
    class Gone(StringIO):
        def write(self, _text: str) -> int:
            raise fault

    play(view(console_on(Gone(), force_terminal=view is TerminalView)), "x")


def test_a_report_that_nobody_can_get_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(ConfigurationError, match="No space left"):
            write_out("{}")
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(ConfigurationError, match="closed"):
        write_out("{}")


def several(view: View) -> None:
    """Two developers at once, of whom the second ends first."""
    wrote = {which: {"candidates": [{**candidate_of(which, "x = 1\n")}]} for which in (1, 2)}
    view.event(NodeStarted("developer", 0, 1))
    view.event(NodeStarted("developer", 0, 2))
    view.event(CorrectionAsked("developer", ("Otherwise.",), 1, developer=2))
    view.event(NodeFinished("developer", 1.0, wrote[2], 2))
    view.event(NodeFinished("developer", 1.5, wrote[1], 1))


def test_a_log_says_which_developer_speaks() -> None:
    output = StringIO()
    several(PlainView(console_on(output)))
    assert output.getvalue().splitlines() == [
        "developer 1 started",
        "developer 2 started",
        "developer 2, correction 1: Otherwise.",
        "developer 2 done in 1.0 s: 1 line of code",
        "developer 1 done in 1.5 s: 1 line of code",
    ]


def test_a_terminal_shows_who_is_still_at_work() -> None:
    output = StringIO()
    view = TerminalView(console_on(output, force_terminal=True, width=100, _environ={}))
    several(view)
    view.pause()
    shown = DRAWN.sub("\n", output.getvalue())
    assert "developer 1, developer 2 are at work" in shown
    assert shown.index("developer 2 · 1.0 s") < shown.rindex("developer 1 writes the module")
    assert "developer 1 · 1.5 s" in shown
