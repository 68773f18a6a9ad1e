"""Transcripts: read, replayed, recorded, and recorded again from a replay."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from src.context import Branching
from src.errors import ConfigurationError, ExitCode, ProviderError, ReplayExhausted
from src.models import Header, load_transcript, recording, replay_models
from src.models.faults import RateLimitFault
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.state import Message

HEADER = {"transcript": 1, "kind": "scripted", "title": "Two replies", "request": "Add.", "module_name": "adder"}
ASK: list[Message] = [("human", "Go on.")]


@pytest.fixture
def transcript(tmp_path: Path) -> Any:
    def write(*lines: Any, header: Any = HEADER, end: str = "\n") -> Path:
        path = tmp_path / "t.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in (header, *lines)]
        path.write_text("\n".join(texts) + end, encoding="utf-8")
        return path

    return write


def test_each_role_gets_its_own_replies_in_order(transcript: Any) -> None:
    path = transcript(
        {"role": "developer", "reply": "one", "finish_reason": "STOP", "model": "m"},
        {"role": "architect", "reply": "plan", "finish_reason": "stop"},
        {"role": "developer", "reply": "two", "finish_reason": "MAX_TOKENS"},
    )
    models = replay_models(load_transcript(path))
    assert models["developer"].ask(ASK) == Reply("one", "complete", model="m")
    assert models["developer"].ask(ASK) == Reply("two", "truncated")
    assert models["architect"].ask(ASK).text == "plan"


def test_the_header_says_what_it_is(transcript: Any) -> None:
    header = load_transcript(transcript()).header
    assert (header.kind, header.title, header.request, header.module_name) == (
        "scripted",
        "Two replies",
        "Add.",
        "adder",
    )


def test_a_reply_of_content_blocks_is_read_without_thoughts(transcript: Any) -> None:
    blocks = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "a = 1"}]
    models = replay_models(load_transcript(transcript({"role": "developer", "reply": blocks})))
    assert models["developer"].ask(ASK).text == "a = 1"


def test_a_reply_may_lie_in_a_file_below_the_transcript(transcript: Any) -> None:
    path = transcript({"role": "developer", "reply_file": "replies/one.md"})
    (path.parent / "replies").mkdir()
    (path.parent / "replies/one.md").write_text("```python\na = 'ä'\n```\n", encoding="utf-8")
    assert replay_models(load_transcript(path))["developer"].ask(ASK).text == "```python\na = 'ä'\n```\n"


def test_a_replay_that_runs_out_says_whose_replies_and_how_many(transcript: Any) -> None:
    model = replay_models(load_transcript(transcript({"role": "debugger", "reply": "x"})))["debugger"]
    model.ask(ASK)
    for asked in (2, 3):
        with pytest.raises(ReplayExhausted, match=f"of the debugger: it holds 1, and reply {asked} was asked for"):
            model.ask(ASK)


def test_a_resumed_run_goes_on_after_the_replies_that_it_took(transcript: Any) -> None:
    path = transcript({"role": "developer", "reply": "one"}, {"role": "developer", "reply": "two"})
    assert replay_models(load_transcript(path), used={"developer": 1})["developer"].ask(ASK).text == "two"


def test_a_recorded_fault_is_raised_again(transcript: Any) -> None:
    path = transcript(
        {"role": "developer", "error": {"kind": "rate_limit", "message": "Slow down."}},
        {"role": "developer", "error": {"kind": "from the future", "message": "Odd."}},
        {"role": "developer", "reply": "one"},
    )
    model = replay_models(load_transcript(path))["developer"]
    with pytest.raises(RateLimitFault, match=r"Slow down\."):
        model.ask(ASK)
    with pytest.raises(ProviderError, match=r"Odd\.") as caught:
        model.ask(ASK)
    assert caught.value.exit_code is ExitCode.PROVIDER
    assert model.ask(ASK).text == "one"


def test_a_scripted_reply_has_no_cost_rather_than_none_to_pay(transcript: Any) -> None:
    usage = replay_models(load_transcript(transcript({"role": "reviewer", "reply": "fine"})))["reviewer"].ask(ASK).usage
    assert usage == Usage()
    assert usage.cost is None


def test_many_threads_get_each_reply_once(transcript: Any) -> None:
    path = transcript(*({"role": "developer", "reply": str(number)} for number in range(200)))
    model = replay_models(load_transcript(path))["developer"]
    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.extend(model.ask(ASK).text for _ in range(25))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got, key=int) == [str(number) for number in range(200)]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2"),
        ("[]", "line 2"),
        ({"role": "boss", "reply": "x"}, "line 2 is not a transcript's entry: role"),
        ({"role": "developer"}, "exactly one of reply, reply_file and error"),
        ({"role": "developer", "reply": "x", "reply_file": "y.md"}, "exactly one of"),
        ({"role": "developer", "reply": "x", "usage": {"input_tokens": -1}}, "usage.input_tokens"),
        ({"role": "developer", "reply": "x", "replly": "y"}, "replly"),
        ({"role": "developer", "reply_file": "missing.md"}, "There is no file"),
        ({"role": "developer", "reply_file": "../secret.md"}, "must lie beside the transcript"),
        ({"role": "developer", "reply_file": "/etc/hostname"}, "must lie beside the transcript"),
    ],
)
def test_a_wrong_line_is_named(transcript: Any, line: Any, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        load_transcript(transcript(line))


@pytest.mark.parametrize(
    "header", ["{", {"role": "developer", "reply": "x"}, {"transcript": 2, "kind": "scripted"}, {"transcript": 1}]
)
def test_a_file_that_is_no_transcript_is_refused(transcript: Any, header: Any) -> None:
    with pytest.raises(ConfigurationError, match="line 1 is not a transcript's header"):
        load_transcript(transcript(header=header))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe")
    for name, told in (("none", "There is no file"), ("empty", "is empty"), ("binary", "is not text in UTF-8")):
        with pytest.raises(ConfigurationError, match=told):
            load_transcript(tmp_path / f"{name}.jsonl")


def test_a_file_that_is_too_large_is_refused(transcript: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("src.models.transcripts.MAX_BYTES", 10)
    with pytest.raises(ConfigurationError, match="is larger than"):
        load_transcript(transcript())


def test_a_line_that_a_killed_recording_left_half_written_is_left_out(transcript: Any) -> None:
    path = transcript({"role": "developer", "reply": "one"}, '{"role": "developer", "rep', end="")
    assert len(load_transcript(path).entries) == 1


def test_a_whole_last_line_counts_without_a_line_end(transcript: Any) -> None:
    assert len(load_transcript(transcript({"role": "developer", "reply": "one"}, end="")).entries) == 1


class Listed:
    """A model that answers from a list."""

    def __init__(self, *answers: Reply | Exception) -> None:
        self.answers = list(answers)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        assert messages == ASK
        return WorstCase(10, 0.1)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002  # one attempt is enough
        assert messages == ASK
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


REPLIES = (
    Reply("one\n", "complete", Usage(10, 20, 5, 3, 0.25), "m-1", 1.5),
    Reply("two ä\u2028b", "truncated", Usage(), "m-1", 0.0),
    Reply("", "blocked", Usage(input_tokens=4), "m-2", 0.25),
    Reply("four", "unknown"),
)


def test_what_was_recorded_is_replayed_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "r.jsonl"
    header = Header(kind="recorded", request="Add.", created="2026-11-30", models={"developer": "gemini:m-1"})
    fault = RateLimitFault("Slow down.")
    with recording(path, header) as recorder:
        model = recorder.wrap({"developer": Listed(*REPLIES, fault)})["developer"]
        assert tuple(model.ask(ASK) for _ in REPLIES) == REPLIES
        with pytest.raises(RateLimitFault) as caught:
            model.ask(ASK)
        assert caught.value is fault
    transcript = load_transcript(path)
    assert transcript.header == header
    again = replay_models(transcript)["developer"]
    assert tuple(again.ask(ASK) for _ in REPLIES) == REPLIES
    with pytest.raises(RateLimitFault, match=r"Slow down\."):
        again.ask(ASK)


def test_a_replay_that_is_recorded_gives_the_same_transcript(tmp_path: Path) -> None:
    header = Header(kind="recorded")
    with recording(tmp_path / "a.jsonl", header) as recorder:
        model = recorder.wrap({"developer": Listed(*REPLIES)})["developer"]
        for _ in REPLIES:
            model.ask(ASK)
    with recording(tmp_path / "b.jsonl", header) as recorder:
        model = recorder.wrap(replay_models(load_transcript(tmp_path / "a.jsonl")))["developer"]
        for _ in REPLIES:
            model.ask(ASK)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_each_reply_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl"
    synced: list[int] = []
    monkeypatch.setattr("src.models.replay.os.fsync", lambda _stream: synced.append(path.read_bytes().count(b"\n")))
    with recording(path, Header(kind="recorded")) as recorder:
        model = recorder.wrap({"developer": Listed(*REPLIES)})["developer"]
        for count, _ in enumerate(REPLIES, start=1):
            model.ask(ASK)
            assert len(load_transcript(path).entries) == count
            assert synced == list(range(1, count + 2))


def test_a_recording_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("mine")
    with (
        pytest.raises(ConfigurationError, match="is there already"),
        recording(path, Header(kind="recorded")),
    ):
        pytest.fail("nothing may be recorded")
    assert path.read_text() == "mine"


def test_a_recording_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(ConfigurationError, match="cannot be written"),
        recording(tmp_path / "file" / "r.jsonl", Header(kind="recorded")),
    ):
        pytest.fail("nothing may be recorded")


def test_no_key_is_recorded_even_when_a_server_repeats_it(tmp_path: Path, model_for: Any, answer: Any) -> None:
    answer(status=401, body={"error": {"message": "Wrong key: sk-this-is-a-key-0123456789"}})
    path = tmp_path / "r.jsonl"
    with recording(path, Header(kind="recorded")) as recorder:
        model = recorder.wrap({"developer": model_for("openai:gpt-5.1").model})["developer"]
        with pytest.raises(ProviderError):
            model.ask(ASK)
    written = path.read_text()
    assert '"kind":"authentication"' in written
    assert "sk-this" not in written


def test_each_of_several_developers_has_replies_of_its_own_whoever_asks_first(transcript: Any) -> None:
    path = transcript(
        {"role": "developer", "developer": 2, "reply": "second"},
        {"role": "developer", "reply": "first"},
        {"role": "developer", "developer": 2, "reply": "second again"},
    )
    model = replay_models(load_transcript(path), used={"developer 2": 1})["developer"]
    assert isinstance(model, Branching)
    assert (model.of(2).ask(ASK).text, model.of(1).ask(ASK).text) == ("second again", "first")
    with pytest.raises(ReplayExhausted, match="of the developer 3: it holds 0"):
        model.of(3).ask(ASK)


def test_a_recording_says_which_developer_answered(transcript: Any, tmp_path: Path) -> None:
    played = replay_models(load_transcript(transcript({"role": "developer", "developer": 2, "reply": "second"})))
    with recording(tmp_path / "new.jsonl", Header(kind="recorded", developers=2)) as recorder:
        model = recorder.wrap(played)["developer"]
        assert isinstance(model, Branching)
        model.of(2).ask(ASK)
    again = load_transcript(tmp_path / "new.jsonl")
    assert (again.header.developers, again.entries_of("developer", 2)[0].reply) == (2, "second")
    assert again.entries_of("developer", 1) == ()
