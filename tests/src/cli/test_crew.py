"""Who serves the roles: transcripts are called what they are, recordings never overwrite anything by accident."""

from collections.abc import Callable
from pathlib import Path

import pytest

from src.cli.crew import assemble_crew, check_record, drop_half_line, entries_taken
from src.config import Settings
from src.errors import ConfigurationError
from src.models import load_transcript

Transcript = Callable[..., Path]
FAULT = ("developer", {"error": {"kind": "server", "message": "Overloaded."}})


def test_a_run_without_a_key_lists_the_ways_to_get_a_model(settings: Settings) -> None:
    with pytest.raises(ConfigurationError) as caught:
        assemble_crew(settings, None, None, print)
    for way in ("GEMINI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "example"):
        assert way in caught.value.remedy


def test_a_transcript_needs_no_key_and_is_called_replay(settings: Settings, transcript: Transcript) -> None:
    crew = assemble_crew(settings, transcript([("developer", "x")]), None, print)
    assert {tier.provider for tier in crew.tiers.values()} == {"replay"}
    assert (crew.tiers["developer"].model, crew.tiers["reviewer"].model) == ("by hand", "scripted")


def test_a_recorded_transcript_names_the_models_that_answered(settings: Settings, transcript: Transcript) -> None:
    path = transcript([("developer", "x")], kind="recorded", models={"reviewer": "gemini:some-model"})
    crew = assemble_crew(settings, path, None, print)
    assert crew.tiers["reviewer"].model == "gemini:some-model"
    assert crew.replayed is not None
    assert crew.replayed.kind == "recorded"


@pytest.mark.parametrize(("replies", "taken"), [(0, 1), (1, 3), (2, 4)])
def test_faults_beside_the_replies_that_were_taken_are_behind_the_run(
    transcript: Transcript, replies: int, taken: int
) -> None:
    script = load_transcript(transcript([FAULT, ("developer", "a"), FAULT, ("developer", "b")]))
    assert entries_taken(script, "developer", replies) == taken


def test_a_recording_is_refused_where_something_lies(tmp_path: Path) -> None:
    there = tmp_path / "there.jsonl"
    there.write_text("mine")
    with pytest.raises(ConfigurationError, match="there already"):
        check_record(there, None, force=False)
    check_record(there, None, force=True)
    with pytest.raises(ConfigurationError, match="is a folder"):
        check_record(tmp_path, None, force=True)
    assert there.read_text() == "mine"


def test_replies_of_a_transcript_are_not_recorded_again(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="nothing to record"):
        check_record(tmp_path / "new.jsonl", tmp_path / "script.jsonl", force=False)


@pytest.mark.parametrize(("content", "left"), [(b'{"a": 1}\n{"b', b'{"a": 1}\n'), (b"{}\n", b"{}\n"), (b"{", b"")])
def test_only_whole_lines_of_a_killed_recording_are_kept(tmp_path: Path, content: bytes, left: bytes) -> None:
    path = tmp_path / "recorded.jsonl"
    path.write_bytes(content)
    drop_half_line(path)
    assert path.read_bytes() == left
