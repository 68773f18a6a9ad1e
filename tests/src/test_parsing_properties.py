"""Whatever a model sends, parsing ends soon, in a result or in a `FormatError`."""

# ruff: noqa: E501 - a list of pieces is easier to read by the kind

import ast
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from src.parsing import FormatError, parse_architect, parse_debugger, parse_developer, parse_review
from src.reply import Reply

PIECES = [
    *("```", "```python\n", "\n```\n", "~~~\n", "````markdown\n", "'''python\n", '"""', "`", "> ", "    ", "\t", "\n", "\r\n"),
    *("<think>", "</think>", "<code>", "</code>", "<![CDATA[", "]]>", "[PYTHON]\n", "<|channel|>final<|message|>"),
    *("### SPECIFICATIONS\n", "### TESTS\n", "**Diagnosis:**\n", "### PATCHED_CODE\n", "- ", "1. ", "# "),
    *("def add(a, b):\n    return a + b\n", "class A:\n    def f(self): ...\n", "import re\n", "from solution import add\n"),
    *("def test_a():\n    assert add(1, 2) == 3\n", "# ... rest unchanged ...\n", "...\n", ">>> add(1, 2)\n3\n", "1 | x = 1\n"),
    *('{"code": "', '"}', "\\n", "[" * 50, "(" * 50, "&lt;", "\\_", "\u201c", "\u00a0", "\ufeff", "\0", "\f", "\ud800", "print a\n"),
    *("--- a/x\n+++ b/x\n", "@@ -1 +1 @@\n", "-x\n", "+y\n", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n"),
    *("Sure, here it is.\n", "I'm sorry, I can't.\n", "Note: it works\n", "x = 1\n", "if x:\n", "return 1\n", "f'{x!r}'\n"),
]  # fmt: skip


def outcome(reading: Callable[[], object]) -> object:
    """What a reading gives: a result, or a reason that can be sent."""
    try:
        return reading()
    except FormatError as error:
        return error.reason if len(error.reason) < 500 else ""


replies = st.one_of(
    st.text(max_size=400),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=10)), max_size=25).map("".join),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=replies, previous=st.sampled_from(["", "def add(a, b):\n    return a - b\n", "x\n", "((("]))
def test_any_text_gives_a_result_or_a_reason(text: str, previous: str) -> None:
    reply = Reply(text)
    readings: list[Callable[[], object]] = [
        lambda: ast.parse(parse_developer(reply)),
        lambda: ast.parse(parse_developer(reply, {"add"})),
        lambda: ast.parse(parse_architect(reply).tests),
        lambda: ast.parse(parse_debugger(reply, (), previous).code),
        lambda: parse_review(reply),
    ]
    for reading in readings:
        assert outcome(reading)


BIG = 190_000
MONSTERS = {
    "five megabytes": "word " * 1_000_000,
    "one endless line": "x" * BIG,
    "endless prose": "A line of prose, about nothing.\n" * (BIG // 32),
    "endless fences": "```\n" * (BIG // 4),
    "endless opened fences": "```python\n" * 5_000,
    "endless broken code": "def f(:\n" * (BIG // 8),
    "endless good code": "def f(x):\n    return x\n\n\n" * (BIG // 26),
    "endless broken blocks": '```python\ndef f(:\n    """\n```\n' * (BIG // 35),
    "endless quotation": ">" * BIG,
    "endless quotation by lines": "> > > > a\n" * (BIG // 20),
    "endless list": "".join(f"{'  ' * (n % 200)}- a\n" for n in range(2_000)),
    "endless brackets": "[" * BIG,
    "endless braces by lines": "{\n" * (BIG // 2),
    "endless parentheses in a block": "```python\nx = " + "(" * 100_000 + "\n```\n",
    "endless sum": "```python\ndef f():\n    return " + "1 + " * 50_000 + "1\n```\n",
    "endless signs": "```python\nx = " + "-" * 50_000 + "1\n```\n",
    "endless attributes": "```python\nx = a" + ".b" * 50_000 + "\n```\n",
    "endless elif": "```python\ndef f(x):\n    if x: pass\n" + "    elif x: pass\n" * 20_000 + "```\n",
    "endless indentation": "```python\n" + "".join(" " * n + "if x:\n" for n in range(800)) + "```\n",
    "endless tags": "<a>" * (BIG // 3),
    "endless closing tags": "<a>" * (BIG // 8) + "</b>" * (BIG // 8),
    "endless thoughts": "<think>\n" * (BIG // 8),
    "endless ends of thoughts": "</think>\n" * (BIG // 9),
    "endless headings": "# Tests\n" * (BIG // 8),
    "endless JSON": '{"a":' * 90_000,
    "endless JSON starts": '{"a": "\n' * (BIG // 8),
    "endless assignments": "x = 'a\n" * (BIG // 8),
    "endless spans": "`def a` " * (BIG // 8),
    "endless hunks": "```diff\n" + "@@ -1 +1 @@\n-a\n+b\n" * (BIG // 20) + "```\n",
    "endless searches": "<<<<<<< SEARCH\na\n" * (BIG // 17),
    "endless numbers": "".join(f"{n} | x\n" for n in range(40_000)),
    "endless prompts": ">>> f(\n" * (BIG // 7),
    "endless escapes": "\\n" * (BIG // 2),
    "endless entities": "&lt;" * (BIG // 4),
    "endless spaces": " " * (BIG // 2) + "x",
    "endless marks on one line": "a ```" * 10_000,
    "a huge number": "```python\nx = " + "9" * 100_000 + "\n```\n",
}


@pytest.mark.parametrize("name", MONSTERS)
def test_a_monstrous_reply_ends_in_a_result_or_a_reason(name: str) -> None:
    reply = Reply(MONSTERS[name])
    for parse in (parse_developer, parse_architect, parse_debugger, parse_review):
        assert outcome(partial(parse, reply))
