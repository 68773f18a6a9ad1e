"""Foreign text can neither paint a terminal nor add lines to a log."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.text import clean, count, excerpt, one_line, reflowed

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=())) | st.text(
    alphabet="\x00\x07\x1b\x9b\x9c\x9d\r\n\t[]0;8m\\\u202e\u2066\ud800ab"
)


@given(ANY_TEXT)
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    for character in clean(text):
        assert character in "\n\u200c\u200d" or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(ANY_TEXT, st.integers(min_value=1, max_value=60))
def test_a_line_stays_one_line_of_the_width(text: str, width: int) -> None:
    line = one_line(text, width)
    assert len(line.splitlines()) <= 1
    assert len(line) <= width


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_is_left_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b2Jgone", "gone"),
        ("\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1bcreset", "reset"),
        ("shown\rhidden", "shown\nhidden"),
        ("one\r\ntwo", "one\ntwo"),
        ("nul\x00", "nul\ufffd"),
        ("if admin:\u202e", "if admin:\ufffd"),
        ("half\ud83d", "half\ufffd"),
        ("Zoë — 漢字 👩\u200d🚀", "Zoë — 漢字 👩\u200d🚀"),
        ("[bold]markup[/]", "[bold]markup[/]"),
    ],
)
def test_known_tricks(text: str, harmless: str) -> None:
    assert clean(text) == harmless


def test_an_excerpt_says_how_much_it_leaves_out() -> None:
    assert excerpt("a\nb\nc\nd", lines=2) == "a\nb\n… 2 more lines"
    assert excerpt("a\nb\n", lines=2) == "a\nb"


def test_an_excerpt_cuts_long_lines() -> None:
    assert excerpt("x" * 50, lines=1, width=10) == "x" * 9 + "…"


def test_one_thing_is_not_counted_as_many() -> None:
    assert [count(0, "test"), count(1, "test"), count(2, "test")] == ["0 tests", "1 test", "2 tests"]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("one\ntwo\n\nthree\nfour", "one two\n\nthree four"),
        ("# Head\ntext\ngoes on", "# Head\ntext goes on"),
        ("- a\n  b\n- c", "- a b\n- c"),
        ("1. a\n2. b\n   c", "1. a\n2. b c"),
        ("text\n```python\nx = 1\ny = 2\n```\nmore\ntext", "text\n```python\nx = 1\ny = 2\n```\nmore text"),
        ("| a |\n| b |\ntext", "| a |\n| b |\ntext"),
        ("    code\n    more", "    code\n    more"),
        ("first\n**Bold:** next", "first\n**Bold:** next"),
    ],
)
def test_the_lines_of_a_paragraph_are_joined_and_nothing_else_is(text: str, joined: str) -> None:
    assert reflowed(text) == joined


@given(st.text(alphabet=st.sampled_from("ab #-`~|\n*.1)")))
def test_joining_lines_loses_no_word(text: str) -> None:
    assert reflowed(text).split() == text.split()
