"""Examples are read off a request only where nobody could read them otherwise."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.examples import examples_of

TABLE = "| call | returns |\n|---|---|\n| `f(1)` | `'a'` |\n| `f(2)` | `None` |\n| `f(3)` | raises |\n"
ARGUMENTS = "| a | b | `f(a, b)` |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n| -1 | x | 0 |\n"
SESSION = (
    ">>> f([1,\n...    2])\n[2,\n 1]\n>>> f('a')\n'b'\n>>> f(2) == 3\nTrue\n>>> f(5) == 6\n\n>>> f(7) == 6\nFalse\n"
)


@pytest.mark.parametrize(
    ("request_text", "read"),
    [
        ("`f(2)` returns `3`.", ["f(2) → 3"]),
        ("For example, f(2) returns 3 and f(3) returns 4.", ["f(2) → 3", "f(3) → 4"]),
        (
            "- f(2) == 3\n* f(4, 'a') -> [1, (2,)]\n3. f(5) => {'a': 1}",
            ["f(2) → 3", "f(4, 'a') → [1, (2,)]", "f(5) → {'a': 1}"],
        ),
        ("f(2) should return True because it is even", ["f(2) → True"]),
        ("f(-0.5) ➞ 1.5\nf(1) → -1  # a comment\nf(3)  # => 'c'", ["f(-0.5) → 1.5", "f(1) → -1", "f(3) → 'c'"]),
        ("f('it (isn\\'t) here') gives \"x, y\".", ["f('it (isn\\'t) here') → \"x, y\""]),
        ("f(n=2) evaluates to `None`, f(3) is 4", ["f(n=2) → None", "f(3) → 4"]),
        (SESSION, ["f([1,\n    2]) → [2,\n 1]", "f('a') → 'b'", "f(2) → 3", "f(5) → 6"]),
        (TABLE, ["f(1) → 'a'", "f(2) → None"]),
        (ARGUMENTS, ["f(1, 2) → 3"]),
        ("f(1) is 2. Again: f(1) returns 2", ["f(1) → 2"]),
    ],
)
def test_what_is_read(request_text: str, read: list[str]) -> None:
    assert [str(example) for example in examples_of(request_text)] == read


@pytest.mark.parametrize(
    "request_text",
    [
        "f(2) returns 3 numbers",
        "f(2) returns 1/2",
        "f(2) returns 3%",
        "f(2) returns 1, 2 and 3",
        "f(2) returns 3 or 4",
        "f(2) is 3 times f(1)",
        "f(2) is True if it is sunny",
        "f(2) returns a list",
        "f(x) returns 3",
        "f(2) -> 3 -> 4",
        "f(1) = 3",
        "f(1) ==> ('Venus')",
        "def f(n: int = 2) -> None",
        "f() -> None",
        "run() returns 3",
        "2 * f(3) == 6",
        "not f(3) == 6",
        "-f(3) == 6",
        "g(f(2)) == 3",
        "len(f(2)) == 3",
        "obj.f(2) == 3",
        "Currently f(2) returns 3.",
        "Actual result:\nf(2) returns 3",
        "It is wrong that `f(2)` returns `3`.",
        "If n is 3, f(2) returns 4",
        "After push(1), top(0) returns 1",
        "The second time, f(2) returns 4",
        'allow("a") returns True\nallow("a") returns False',
        ">>> f(2)\n\n>>> f(3)\nTraceback (most recent call last):\nValueError\n>>> print(f(2))\n3",
        "| n | f(m) |\n|---|---|\n| 1 | 2 |\n",
        "| call | seconds |\n|---|---|\n| f(1) | 2 |\n",
        "f(1) returns '''a'''",
        "f('a returns 3",
        "f(2) == 1 + 2",
        "",
    ],
)
def test_what_could_mean_something_else_is_left_alone(request_text: str) -> None:
    assert examples_of(request_text) == []


FLAWED = {"HumanEval/47", "HumanEval/116"}
"""Their requests give examples that the right solution fails."""


def test_no_example_of_real_requests_is_misread(shared_data: Path) -> None:
    rows = [
        json.loads(line)
        for corpus in ("humaneval", "quixbugs")
        for line in (shared_data / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    wrong, read = set(), 0
    for row in rows:
        names: dict[str, object] = {}
        exec(row["reference_solution"], names)
        for example in examples_of(row["prompt"]):
            if example.call.function in row["entry_points"]:
                read += 1
                function = names[example.call.function]
                assert callable(function)
                given = eval(example.call_source, names)
                given = list(given) if isinstance(given, Iterator) else given
                wrong |= set() if given == example.value else {row["task_id"]}
    assert wrong <= FLAWED
    assert read > 380


PIECES = st.sampled_from(
    [
        *"()[]{}'\"\\|-=>#:.,\n 1",
        "f(1)",
        " returns ",
        "2",
        "| call | returns |\n|---|---|\n",
        ">>> ",
        "...",
        "\r",
        "\0",
        "\ud800",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_no_request_makes_it_raise(request_text: str) -> None:
    for example in examples_of(request_text):
        assert example.call_source
        assert example.value_source


@pytest.mark.parametrize("text", ["f(" * 900, "f(1) == " + "[" * 900, ">>> " + "-" * 1900 + "f(1)\n1", "f(1)\n" * 9000])
def test_a_long_request_is_no_trouble(text: str) -> None:
    assert examples_of(text) == []
