"""What a run is asked for is checked before anything is spent."""

from io import BytesIO
from pathlib import Path

import pytest

from src.cli.request import EXAMPLES, MAX_REQUEST_BYTES, Source, example_names, read_assignment, read_request
from src.errors import ConfigurationError


def read(source: Source, stdin: bytes = b"") -> str:
    return read_assignment(source, BytesIO(stdin)).request


def test_the_three_ways_to_ask_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "request.md"
    path.write_text("Zoë's module\n")
    asked = [read(Source("Zoë's module")), read(Source(prompt_file=path)), read(Source("-"), "Zoë's module\n".encode())]
    assert asked == ["Zoë's module"] * 3


def test_a_byte_order_mark_is_no_part_of_the_request() -> None:
    assert read(Source("-"), b"\xef\xbb\xbfAnswer.") == "Answer."


def test_nothing_asked_for_plays_the_rate_limiter() -> None:
    assignment = read_assignment(Source(), BytesIO())
    assert assignment.transcript == EXAMPLES / "rate_limiter.jsonl"
    assert "rate limiter" in assignment.request


@pytest.mark.parametrize("name", example_names())
def test_every_example_says_what_it_was_asked_for(name: str) -> None:
    assert read(Source(example=name))


@pytest.mark.parametrize(
    ("prompt", "stdin", "told"),
    [
        ("", b"", "empty"),
        (" \n\t", b"", "empty"),
        ("-", b"", "empty"),
        ("-", b"\xff\xfe", "UTF-8"),
        ("caf\udce9", b"", "UTF-8"),
        ("-", b"a\0b", "NUL"),
        ("-", b"x" * (MAX_REQUEST_BYTES + 1), "longer than"),
    ],
)
def test_a_request_that_is_none_is_refused(prompt: str, stdin: bytes, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        read_request(prompt, None, BytesIO(stdin))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.md cannot be read: No such file"):
        read(Source(prompt_file=tmp_path / "nowhere.md"))
    with pytest.raises(ConfigurationError, match="Is a directory"):
        read(Source(prompt_file=tmp_path))


@pytest.mark.parametrize(
    "source",
    [
        Source("Answer.", prompt_file=Path("request.md")),
        Source("Answer.", example="rate_limiter"),
        Source(example="rate_limiter", replay=Path("script.jsonl")),
        Source(module_name="limiter"),
        Source(example="rate_limiter", module_name="limiter"),
    ],
)
def test_options_that_contradict_each_other_are_refused(source: Source) -> None:
    with pytest.raises(ConfigurationError):
        read_assignment(source, BytesIO())


@pytest.mark.parametrize("name", ["", "rate-limiter", "class", "test_x", "pytest", "../x", "süß", "a.b"])
def test_a_name_that_cannot_be_imported_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="--module-name"):
        read_assignment(Source("Answer.", module_name=name), BytesIO())


def test_an_example_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read(Source(example="../secrets"))
    assert "rate_limiter" in caught.value.remedy


def test_a_transcript_without_a_request_needs_one(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('{"kind": "scripted"}\n')
    with pytest.raises(ConfigurationError, match="does not say what was asked for"):
        read(Source(replay=path))
    assert read(Source("Answer.", replay=path)) == "Answer."


@pytest.mark.parametrize("text", ["", "garbage\n", '{"kind": "scripted"}\n{"role": "nobody", "reply": ""}\n'])
def test_a_malformed_transcript_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"script\.jsonl"):
        read(Source("Answer.", replay=path))
