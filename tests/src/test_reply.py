"""Replies as plain data: why the model stopped, and what of it is text."""

from typing import Any

import pytest

from src.reply import finish_of, text_of


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("STOP", "complete"),
        ("stop", "complete"),
        ("end_turn", "complete"),
        ("stop_sequence", "complete"),
        (" Stop ", "complete"),
        ("length", "truncated"),
        ("MAX_TOKENS", "truncated"),
        ("max_tokens", "truncated"),
        ("content_filter", "blocked"),
        ("SAFETY", "blocked"),
        ("RECITATION", "blocked"),
        ("PROHIBITED_CONTENT", "blocked"),
        ("refusal", "blocked"),
        ("MALFORMED_FUNCTION_CALL", "unknown"),
        ("FINISH_REASON_UNSPECIFIED", "unknown"),
        ("stop the press", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_every_provider_s_word_becomes_one_of_ours(word: str | None, finish: str) -> None:
    assert finish_of(word) == finish


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("plain\n", "plain\n"),
        ([], ""),
        (["a", "b\n"], "ab\n"),
        ([{"type": "text", "text": "a\n"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}], "a"),
        ([{"type": "reasoning", "text": "hm"}, {"type": "output_text", "text": "a"}], "a"),
        ([{"text": "a"}], "a"),
        (
            [{"type": "text", "text": "a", "extras": {"signature": "YQ=="}}, {"type": "image_url", "image_url": "x"}],
            "a",
        ),
        ([{"type": "text", "text": None}, {"type": "text"}, {"type": "text", "text": 3}, None, 7], ""),
    ],
)
def test_only_text_of_a_reply_is_text(content: Any, text: str) -> None:
    assert text_of(content) == text
