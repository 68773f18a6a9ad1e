"""What a suite compares is read off it in the ways in which suites are written."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.observed import observations
from src.gates.source import parse

IMPORTS = "import pytest, math, unittest, solution as s\nfrom solution import f, f as g\nCASES = [(1, 2), (3, 4)]\n"


def seen(source: str) -> list[str]:
    return [
        f"{one.call.function}{one.call.arguments} {one.value!r}" for one in observations(ast.parse(IMPORTS + source))
    ]


def in_test(*lines: str) -> str:
    return "def test_x():\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (in_test("assert f(1, 2) == 3"), ["f(1, 2) 3"]),
        (in_test("assert 3 == g(1, n=2)"), ["f(1, 2) 3"]),
        (in_test("assert s.f([1]) is None and f(2) == -3, 'why'"), ["f([1],) None", "f(2,) -3"]),
        (in_test("assert f(1)", "assert not f(2)"), ["f(1,) True", "f(2,) False"]),
        (in_test("numbers = [1, 2]", "result = f(numbers)", "assert result == (3,)"), ["f([1, 2],) (3,)"]),
        (in_test("assert f(1) == pytest.approx(0.5)", "assert math.isclose(f(2), 3)"), ["f(1,) 0.5", "f(2,) 3"]),
        (in_test("assert list(f(1)) == [1]", "with open('a'):", "    assert f(2) == 3"), ["f(1,) [1]", "f(2,) 3"]),
        (in_test("for x, y in CASES:", "    assert f(x) == y"), ["f(1,) 2", "f(3,) 4"]),
        (in_test("assert all(f(x) == y for x, y in CASES)"), ["f(1,) 2", "f(3,) 4"]),
        (in_test("assert f(1) == f(2) == 3"), ["f(2,) 3"]),
        (
            "@pytest.mark.parametrize(('n', 'm'), [(1, 2), pytest.param(3, 4, id='b')])\n"
            "def test_x(n, m): assert f(n) == m\n",
            ["f(1,) 2", "f(3,) 4"],
        ),
        ("@pytest.mark.parametrize('n, m', CASES)\ndef test_x(n, m): assert f(n) == m\n", ["f(1,) 2", "f(3,) 4"]),
        (
            "@pytest.mark.parametrize('a', [1, 2])\n@pytest.mark.parametrize('b', [3])\n"
            "def test_x(a, b): assert f(a, b) == 5\n",
            ["f(1, 3) 5", "f(2, 3) 5"],
        ),
        (
            "@pytest.mark.parametrize(('args', 'm'), [((1, 2), 3)])\ndef test_x(args, m): assert f(*args) == m\n",
            ["f(1, 2) 3"],
        ),
        (
            "class TestX(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual(f(1), 2)\n"
            "        self.assertTrue(f(3))\n        self.assertIsNone(f(4))\n",
            ["f(1,) 2", "f(3,) True", "f(4,) None"],
        ),
    ],
)
def test_what_is_compared(source: str, found: list[str]) -> None:
    assert seen(source) == found


@pytest.mark.parametrize(
    "source",
    [
        in_test("assert f(1) != 2"),
        in_test("assert f(unknown) == 2"),
        in_test("assert -f(1) == 2"),
        in_test("assert sorted(f(1)) == [2]"),
        in_test("assert thing.f(1) == 2"),
        in_test("x = 1", "x += 1", "assert f(x) == 2"),
        in_test("x = [1]", "x.append(2)", "assert f(x) == 2"),
        in_test("x = [1]", "with open('a') as x:", "    assert f(x) == 2"),
        in_test("for x in range(3):", "    assert f(x) == x"),
        "def test_x(CASES): assert f(CASES) == 2\n",
        "def helper(): assert f(1) == 2\n",
        in_test("assert f(1) == 2 or f(1) == 3"),
    ],
)
def test_what_cannot_be_told_is_not_told(source: str) -> None:
    assert seen(source) == []


PIECES = st.sampled_from(
    [
        *IMPORTS.splitlines(True),
        "def test_x(n, m):\n",
        *(f"    {line}\n" for line in ["assert f(n) == m", "n = [1]", "n += 1", "n.append(m)"]),
        "@pytest.mark.parametrize('n, m', CASES)\n",
        "    for n, (m, *k) in CASES:\n        assert f(**n) == f(*m)\n",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES).map("".join))
def test_no_suite_makes_it_raise(source: str) -> None:
    tree = parse(source)
    if not isinstance(tree, str):
        observations(tree)
