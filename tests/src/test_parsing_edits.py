"""Changes in the place of a whole module: each fits exactly once, and one that does not says what is nearest."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.parsing import FormatError, parse_debugger
from src.parsing.diffs import Misfit, applied, changes_in
from src.reply import Reply

CODE = "def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a - b\n"


def block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def patched(text: str) -> str:
    return applied(changes_in(text), CODE)


def test_a_block_that_fits_once_is_applied() -> None:
    found = patched(block("def add(a, b):\n    return a - b", "def add(a, b):\n    return a + b"))
    assert found == CODE.replace("a - b", "a + b", 1)


def test_a_block_that_fits_in_several_places_is_refused_with_the_places() -> None:
    with pytest.raises(Misfit, match=r"several places \(lines 2, 6\)"):
        patched(block("    return a - b", "    return a + b"))


def test_a_near_miss_is_told_the_closest_lines_and_what_fitted() -> None:
    good = block("def sub(a, b):\n    return a - b", "def sub(a, b):\n    return b - a")
    with pytest.raises(Misfit) as caught:
        patched(good + block("def add(a, b):\n    return a -b", "def add(a, b):\n    return a + b"))
    told = str(caught.value)
    assert told.startswith("Change 2 of 2 fits nowhere.")
    assert "1: def add(a, b):\n2:     return a - b" in told
    assert "The 1 before it fit; none was made." in told


def test_what_is_like_nothing_says_so() -> None:
    with pytest.raises(Misfit, match="no line of the module is like `class Matrix"):
        patched(block("class Matrix(Sequence):", "class Vector:"))


def test_blocks_in_several_fences_are_one_answer() -> None:
    first = block("def add(a, b):\n    return a - b", "def add(a, b):\n    return a + b")
    second = block("def sub(a, b):\n    return a - b", "def sub(a, b):\n    return b - a")
    text = f"### DIAGNOSIS\n\nBoth.\n\n### PATCHED_CODE\n\n```python\n{first}```\n\nand\n\n```python\n{second}```\n"
    code = parse_debugger(Reply(text, "complete"), ("add", "sub"), CODE).code
    assert "return a + b" in code
    assert "return b - a" in code


def test_the_author_is_told_how_to_go_on() -> None:
    text = f"### PATCHED_CODE\n\n```python\n{block('    return a * b', '    return a + b')}```\n"
    with pytest.raises(FormatError) as caught:
        parse_debugger(Reply(text, "complete"), ("add",), CODE)
    assert caught.value.kind == "diff"
    assert "closest lines" in caught.value.reason
    assert "or the whole module" in caught.value.reason


WORDS = ["def f():", "    return 1", "", "x = 2", "    é", "<<<<<<< SEARCH", "======="]
LINES = st.lists(st.sampled_from(WORDS), max_size=8)
EDITS = st.lists(st.tuples(LINES, LINES), max_size=4)


@settings(deadline=None)
@given(EDITS, LINES)
def test_no_change_ends_in_anything_but_a_module_or_a_misfit(
    edits: list[tuple[list[str], ...]], code: list[str]
) -> None:
    text = "".join(block("\n".join(old), "\n".join(new)) for old, new in edits)
    with suppress(Misfit):
        assert isinstance(applied(changes_in(text), "\n".join(code)), str)
