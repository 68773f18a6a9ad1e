"""The commands that look at saved runs, and the one that deletes them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import src.cli.audit
import src.cli.delete
import src.cli.history
import src.cli.runs
import src.cli.show
import src.cli.stored
from src.cli.audience import Audience
from src.errors import ConfigurationError
from tests.src.cli.conftest import GREEN, NEVER, Bench, ScriptedSandbox
from tests.src.cli.test_execute import carried_out

Transcript = Callable[..., Path]


@pytest.fixture
def run_id(bench: Bench, transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run that is saved as unverified, and settings that find it."""
    bench.settings = bench.settings.model_copy(update={"max_debug_iterations": 1, "second_reading": False})
    for module in (src.cli.audit, src.cli.delete, src.cli.history, src.cli.runs, src.cli.show, src.cli.stored):
        monkeypatch.setattr(module, "load_settings", lambda: bench.settings)
    return carried_out(bench, transcript(NEVER)).run_id


def test_runs_are_listed_with_where_they_stand(
    bench: Bench, transcript: Transcript, run_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.sandbox = ScriptedSandbox(at_run=KeyboardInterrupt())
    stopped = carried_out(bench, transcript(GREEN)).run_id
    capsys.readouterr()
    assert src.cli.runs.runs_command(json=True) == 0
    told = {run["run_id"]: (run["status"], run["iterations"]) for run in json.loads(capsys.readouterr().out)}
    assert told == {run_id: ("UNVERIFIED", 1), stopped: ("stopped", 0)}
    src.cli.runs.runs_command(json=False)
    assert f"{run_id}\t" in capsys.readouterr().out


def test_a_run_is_shown_as_it_ended_and_no_file_is_written(
    run_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    capsys.readouterr()
    assert src.cli.show.show_command(run_id, Audience(json=True)) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["exit_code"]) == ("UNVERIFIED", 1)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == before


def test_history_and_audit_are_a_line_each(run_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    src.cli.history.history_command(run_id, json=False)
    assert [line.split("\t")[2] for line in capsys.readouterr().out.splitlines()[-2:]] == ["test_runner", "reviewer"]
    src.cli.audit.audit_command(run_id, json=True)
    assert isinstance(json.loads(capsys.readouterr().out), list)


def test_a_run_is_deleted_when_that_is_said_plainly(run_id: str) -> None:
    with pytest.raises(ConfigurationError, match="Nobody is there") as refused:
        src.cli.delete.delete_command(run_id, sure=False)
    assert refused.value.remedy.endswith(f" -m src.main delete {run_id} --yes"), "a command that can be pasted"
    assert src.cli.stored.complete_name(run_id[:3]) == [run_id]
    assert src.cli.delete.delete_command(run_id, sure=True) == 0
    assert src.cli.stored.complete_name("") == []
