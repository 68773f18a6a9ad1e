"""What providers send is flattened to visible text, and their finish words to ours."""

from typing import Any

import pytest

from src.reply import finish_of, text_of

CONTENT = {
    "nothing": (None, ""),
    "an empty list": ([], ""),
    "plain text": ("Hi", "Hi"),
    "strings": (["a", "b"], "ab"),
    "text blocks": ([{"type": "text", "text": "a"}, {"type": "output_text", "text": "b"}], "ab"),
    "a block without type": ([{"text": "a"}], "a"),
    "a thought of Gemini": ([{"text": "hm", "thought": True}, {"text": "a", "thought": False}], "a"),
    "thinking and reasoning": (
        [{"type": "thinking", "thinking": "hm"}, {"type": "reasoning", "summary": []}, "a"],
        "a",
    ),
    "a tool call": ([{"type": "tool_use", "name": "run", "input": {"text": "x"}}, {"type": "text", "text": "a"}], "a"),
    "a refusal": ([{"type": "refusal", "refusal": "I can't."}], "I can't."),
    "a message in a message": ([{"type": "message", "content": [{"type": "output_text", "text": "a"}]}], "a"),
    "text as an object": ([{"type": "text", "text": {"value": "a", "annotations": []}}], "a"),
    "text that is missing": ([{"type": "text"}, {"type": "text", "text": None}, {"type": "text", "text": 3}], ""),
    "other things": ([None, 3, ["a"], {"type": "image_url"}], ""),
    "a line in pieces": ([{"type": "text", "text": "def f"}, {"type": "text", "text": "(x):"}], "def f(x):"),
    "a fence after a sentence": (["Here:", "```python\nx = 1\n```"], "Here:\n```python\nx = 1\n```"),
}


@pytest.mark.parametrize("shape", CONTENT)
def test_visible_text_is_taken_from(shape: str) -> None:
    content, text = CONTENT[shape]
    assert text_of(content) == text


def test_endless_nesting_is_no_text() -> None:
    block: dict[str, Any] = {"type": "message"}
    block["content"] = [block]
    assert text_of([block]) == ""


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("STOP", "complete"),
        ("end_turn", "complete"),
        ("FinishReason.STOP", "complete"),
        ("tool_calls", "complete"),
        ("length", "truncated"),
        ("MAX_TOKENS", "truncated"),
        ("max_output_tokens", "truncated"),
        ("error", "truncated"),
        ("SAFETY", "blocked"),
        ("content_filter", "blocked"),
        ("FINISH_REASON_RECITATION", "blocked"),
        ("MALFORMED_FUNCTION_CALL", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_finish_words_are_translated(word: str | None, finish: str) -> None:
    assert finish_of(word) == finish
