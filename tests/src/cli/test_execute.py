"""A run from its plan to its files, whatever stops it on the way. Only the sandbox is scripted."""

import json
import re
import signal
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from sandbox import ContainerFailed, EngineUnavailable, SandboxError
from src.artifacts import read_report
from src.cli.execute import execute
from src.cli.plan import Plan
from src.cli.request import Source
from src.cli.resume import resume
from src.cli.run import RunOptions, make_plan
from src.errors import ConfigurationError
from src.models import describe_tiers, load_transcript, replay_models
from src.report import RunReport
from tests.src.cli.conftest import GREEN, HEALED, NEVER, Bench, ScriptedSandbox

Transcript = Callable[..., Path]


def plan_for(bench: Bench, replay: Path, out: Path | None = None, **options: Any) -> Plan:
    chosen = RunOptions(out=out or replay.parent / "out", **options)
    return make_plan(Source(replay=replay), chosen, bench.settings, BytesIO())


def carried_out(bench: Bench, replay: Path) -> RunReport:
    return execute(plan_for(bench, replay), bench.workshop)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_green_at_once_is_verified(bench: Bench, transcript: Transcript, tmp_path: Path) -> None:
    report = carried_out(bench, transcript(GREEN))
    assert (report.verdict, report.exit_code, report.iterations) == ("VERIFIED", 0, 0)
    assert read_report(tmp_path / "out") == report
    assert bench.sandbox.closed


def test_a_healed_run_is_verified_with_its_history(bench: Bench, transcript: Transcript) -> None:
    report = carried_out(bench, transcript(HEALED))
    assert (report.verdict, report.exit_code, report.iterations) == ("VERIFIED", 0, 1)
    assert "one too low" in report.debug_history[0]
    assert "debugger done" in bench.output.getvalue()


def test_used_up_iterations_are_unverified_and_delivered(bench: Bench, transcript: Transcript, tmp_path: Path) -> None:
    bench.settings = bench.settings.model_copy(update={"max_debug_iterations": 1})
    report = carried_out(bench, transcript(NEVER))
    assert (report.verdict, report.exit_code) == ("UNVERIFIED", 1)
    assert {"solution.py", "UNVERIFIED.md"} <= names(tmp_path / "out")
    assert "UNVERIFIED: " in bench.output.getvalue()


@pytest.mark.parametrize("reply", [NEVER, GREEN[:1]], ids=["unverified", "ended early"])
def test_what_an_earlier_run_verified_gives_way_to_a_verified_module_only(
    bench: Bench, transcript: Transcript, tmp_path: Path, reply: Any
) -> None:
    carried_out(bench, transcript(GREEN))
    kept = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    report = carried_out(bench, transcript(reply))
    assert report.verdict == "UNVERIFIED"
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == kept
    assert "UNVERIFIED.md" in names(tmp_path / f"out.{report.run_id}")


def test_the_replies_of_a_transcript_are_never_called_a_model(bench: Bench, transcript: Transcript) -> None:
    report = carried_out(bench, transcript(GREEN))
    assert report.replayed is not None
    assert (report.replayed.kind, report.replayed.title) == ("scripted", "the answer")
    assert bench.output.getvalue().startswith("SCRIPTED EXAMPLE (the answer)")


def test_an_engine_that_is_away_ends_the_run_before_anything_is_asked(
    bench: Bench, transcript: Transcript, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.sandbox = ScriptedSandbox(at_prepare=EngineUnavailable("No engine answers.", "Start one."))
    report = carried_out(bench, transcript(GREEN))
    assert (report.exit_code, report.usage.total.calls) == (5, 0)
    assert not (tmp_path / "out").exists()
    assert capsys.readouterr().err == "Error: No engine answers.\n  Start one.\n  Nothing was spent.\n"
    assert bench.sandbox.closed


def test_a_sandbox_that_breaks_delivers_what_was_reached(
    bench: Bench, transcript: Transcript, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.sandbox = ScriptedSandbox(at_run=ContainerFailed("The container died.", "Look at the engine's log."))
    report = carried_out(bench, transcript(GREEN))
    assert (report.verdict, report.exit_code) == ("UNVERIFIED", 5)
    assert {"solution.py", "test_solution.py", "SPEC.md", "UNVERIFIED.md"} <= names(tmp_path / "out")
    assert f"resume {report.run_id}" in capsys.readouterr().err


def test_a_provider_that_fails_delivers_what_was_reached(bench: Bench, transcript: Transcript, tmp_path: Path) -> None:
    report = carried_out(bench, transcript(GREEN[:1]))
    assert report.exit_code == 6
    assert names(tmp_path / "out") == {"test_solution.py", "conftest.py", "SPEC.md", "UNVERIFIED.md", "report.json"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_so_that_it_can_go_on(
    bench: Bench,
    transcript: Transcript,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: signal.Signals,
) -> None:
    monkeypatch.setattr(bench.sandbox, "run", lambda _job: signal.raise_signal(number))
    monkeypatch.setattr("sys.argv", ["/somewhere/bin/selfheal"])
    report = carried_out(bench, transcript(HEALED))
    assert report.exit_code == 130
    assert bench.sandbox.closed
    assert f"Go on with: selfheal resume {report.run_id}\n" in capsys.readouterr().err


def test_a_second_signal_does_not_stop_the_clearing_away(
    bench: Bench, transcript: Transcript, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cleared = []

    def run(_job: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGTERM)
            cleared.append("container")

    monkeypatch.setattr(bench.sandbox, "run", run)
    assert carried_out(bench, transcript(GREEN)).exit_code == 130
    assert cleared == ["container"]
    assert (tmp_path / "out" / "report.json").exists()


def test_signals_are_as_before_after_a_run(bench: Bench, transcript: Transcript) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    carried_out(bench, transcript(GREEN))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_fault_of_ours_goes_on_its_way_with_the_way_to_go_on(bench: Bench, transcript: Transcript) -> None:
    bench.sandbox = ScriptedSandbox(at_run=ZeroDivisionError("a bug"))
    with pytest.raises(ZeroDivisionError) as caught:
        carried_out(bench, transcript(GREEN))
    assert re.search(r"resume \S+$", caught.value.__notes__[-1])
    assert bench.sandbox.closed


def test_a_sandbox_that_cannot_be_closed_does_not_change_the_verdict(
    bench: Bench, transcript: Transcript, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def close() -> None:
        raise SandboxError("A container is left.", "Remove it.")

    monkeypatch.setattr(bench.sandbox, "close", close)
    assert carried_out(bench, transcript(GREEN)).exit_code == 0
    assert "Warning: A container is left.\n  Remove it.\n" in capsys.readouterr().err


def test_an_interrupted_run_goes_on_without_a_reply_being_taken_twice(
    bench: Bench, transcript: Transcript, tmp_path: Path
) -> None:
    bench.sandbox = ScriptedSandbox(at_run=KeyboardInterrupt())
    stopped = carried_out(bench, transcript(HEALED))
    assert (stopped.exit_code, stopped.usage.total.calls) == (130, 2)
    bench.sandbox = ScriptedSandbox()
    finished = resume(stopped.run_id, None, bench.workshop)
    assert (finished.verdict, finished.exit_code, finished.usage.total.calls) == ("VERIFIED", 0, 4)
    assert finished.started_at == stopped.started_at
    assert "UNVERIFIED.md" not in names(tmp_path / "out")


def test_a_run_that_stopped_at_a_fault_goes_on_behind_it(bench: Bench, transcript: Transcript) -> None:
    fault = ("developer", {"error": {"kind": "server", "message": "Overloaded."}})
    stopped = carried_out(bench, transcript([GREEN[0], fault, *GREEN[1:]]))
    assert stopped.exit_code == 6
    assert resume(stopped.run_id, None, bench.workshop).exit_code == 0


def test_a_finished_run_is_shown_again_and_nothing_is_called(
    bench: Bench, transcript: Transcript, capsys: pytest.CaptureFixture[str]
) -> None:
    first = carried_out(bench, transcript(GREEN))
    jobs = len(bench.sandbox.jobs)
    again = resume(first.run_id, None, bench.workshop)
    assert again == first
    assert len(bench.sandbox.jobs) == jobs
    assert "finished" in capsys.readouterr().err


def test_a_finished_run_can_be_delivered_elsewhere(bench: Bench, transcript: Transcript, tmp_path: Path) -> None:
    first = carried_out(bench, transcript(GREEN))
    again = resume(first.run_id, tmp_path / "elsewhere", bench.workshop)
    assert again.files == first.files
    assert names(tmp_path / "elsewhere") == names(tmp_path / "out")


def test_a_run_that_nobody_started_cannot_be_resumed(bench: Bench) -> None:
    with pytest.raises(ConfigurationError, match="no run called 'nobody'"):
        resume("nobody", None, bench.workshop)


def test_a_folder_that_was_taken_meanwhile_does_not_undo_the_run(
    bench: Bench, transcript: Transcript, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_for(bench, transcript(GREEN))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "solution.py").write_text("mine")
    report = execute(plan, bench.workshop)
    assert (report.verdict, report.exit_code) == ("VERIFIED", 2)
    assert (tmp_path / "out" / "solution.py").read_text() == "mine"
    assert f"resume {report.run_id} --out FOLDER" in capsys.readouterr().err


def test_a_database_that_cannot_be_used_is_named_before_anything_is_done(
    bench: Bench, transcript: Transcript, tmp_path: Path
) -> None:
    (tmp_path / "broken.sqlite").write_bytes(b"no database " * 100)
    bench.settings = bench.settings.model_copy(update={"runs_path": tmp_path / "broken.sqlite"})
    with pytest.raises(ConfigurationError, match="RUNS_PATH"):
        carried_out(bench, transcript(GREEN))
    assert bench.output.getvalue() == ""


def test_what_models_answer_is_recorded_across_an_interruption(
    bench: Bench, transcript: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = replay_models(load_transcript(transcript(HEALED)))
    ladders = {role: (model,) for role, model in models.items()}
    monkeypatch.setattr("src.cli.crew.build_ladders", lambda _settings, notice: ladders)  # noqa: ARG005  # named by the caller
    monkeypatch.setattr("src.cli.crew.check_keys", describe_tiers)
    record = tmp_path / "recorded.jsonl"
    options = RunOptions(out=tmp_path / "out", record=record)
    plan = make_plan(Source(prompt="Answer."), options, bench.settings, BytesIO())
    bench.sandbox = ScriptedSandbox(at_run=KeyboardInterrupt())
    stopped = execute(plan, bench.workshop)
    record.write_bytes(record.read_bytes() + b'{"role": "deb')  # what a kill in the middle of a line leaves
    bench.sandbox = ScriptedSandbox()
    assert resume(stopped.run_id, None, bench.workshop).exit_code == 0
    heard = load_transcript(record)
    assert (heard.header.kind, heard.header.request, heard.header.module_name) == ("recorded", "Answer.", "solution")
    assert [entry.role for entry in heard.entries] == [role for role, _ in HEALED]
    assert json.loads(record.read_text().splitlines()[0])["models"]["developer"] == "gemini:gemini-3.7-flash"
