"""What a suite must be before code is written for it: the gate as a whole."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates.suite import MOST_CHARACTERS, MOST_REASONS, WIDTH, SuiteFacts, check_suite

FACTS = SuiteFacts("solution", min_tests=1)
GOOD = "from solution import add\n\ndef test_sum():\n    assert add(1, 2) == 3\n"

SOURCES = ("humaneval", "quixbugs", "exercism")
RIGHTLY_REFUSED = {"QuixBugs/knapsack", "QuixBugs/levenshtein", "exercism/alphametics"}
"""They skip a test."""


@pytest.mark.parametrize(
    "tests",
    [
        GOOD,
        "import solution\n\ndef test_sum():\n    assert solution.add(1, 2) == 3\n",
        "import solution as s\n\nclass TestAdd:\n    def test_sum(self):\n        assert s.add(1, 2) == 3\n",
        "import unittest\nfrom solution import add\n\nclass Sums(unittest.TestCase):\n    def test_sum(self):\n"
        "        self.assertEqual(add(1, 2), 3)\n",
        "try:\n    from solution import add\nexcept ImportError:\n    raise\n\ndef test_sum():\n    assert add(1, 2)\n",
    ],
)
def test_a_suite_that_imports_and_tests_the_module_passes(tests: str) -> None:
    assert check_suite(tests, FACTS).passed


def test_a_suite_that_does_not_parse_is_refused_with_the_line() -> None:
    (reason,) = check_suite("def test_x(:\n    pass\n", FACTS).reasons
    assert "not valid Python: line 1" in reason


def test_a_suite_that_tests_another_module_is_refused() -> None:
    reasons = check_suite(GOOD.replace("solution", "elsewhere"), FACTS).reasons
    assert "imports nothing from `solution`" in reasons[0]
    assert "`elsewhere` is not installed" in reasons[1]


def test_a_suite_that_uses_nothing_of_the_module_is_refused() -> None:
    reason = check_suite("import solution\n\ndef test_x():\n    assert 1 + 1 == 2\n", FACTS).reasons[0]
    assert "uses no name of it" in reason


def test_a_suite_without_tests_is_refused() -> None:
    (reason,) = check_suite("from solution import add\n\ndef check_sum():\n    assert add(1, 2) == 3\n", FACTS).reasons
    assert "has no test" in reason


def test_all_reasons_are_told_at_once() -> None:
    assert len(check_suite("x = 1\n", FACTS).reasons) == 2


def test_the_module_may_have_another_name() -> None:
    assert check_suite(GOOD.replace("solution", "limits"), SuiteFacts("limits", min_tests=1)).passed


@pytest.mark.parametrize(
    ("tests", "found"),
    [
        (GOOD, 1),
        (GOOD + GOOD.replace("test_sum", "test_more"), 2),
        ("@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_a(n):\n    assert add(n, 0) == n\n", 3),
        ("@pytest.mark.parametrize('n', argvalues=(1, 2))\ndef test_a(n):\n    assert add(n, 0) == n\n", 2),
        ("@pytest.mark.parametrize('n', range(2, 6))\ndef test_a(n):\n    assert add(n, 0) == n\n", 4),
        ("CASES = [1, 2]\n@pytest.mark.parametrize('n', [*CASES, 3])\ndef test_a(n):\n    assert add(n, 0) == n\n", 3),
        (
            "@pytest.mark.parametrize('n', [1, 2])\n@pytest.mark.parametrize('m', [1, 2, 3])\n"
            "def test_a(n, m):\n    assert add(n, m) == n + m\n",
            6,
        ),
        (
            "@pytest.mark.parametrize('n', [1, 2])\nclass TestAdd:\n"
            "    def test_a(self, n):\n        assert add(n, 0) == n\n"
            "    def test_b(self, n):\n        assert add(0, n) == n\n",
            4,
        ),
        (
            "class Sums:\n    def test_a(self):\n        assert add(1, 2) == 3\n"
            "class TestSums(Sums):\n    def test_b(self):\n        assert add(1, 1) == 2\n",
            2,
        ),
        ("class TestOff:\n    __test__ = False\n    def test_a(self):\n        assert add(1, 2) == 3\n" + GOOD, 1),
    ],
)
def test_tests_are_counted_as_pytest_counts_them(tests: str, found: int) -> None:
    suite = f"import pytest\nfrom solution import add\n{tests}"
    assert check_suite(suite, SuiteFacts("solution", min_tests=found)).passed
    (reason,) = check_suite(suite, SuiteFacts("solution", min_tests=found + 1)).reasons
    assert f"{found} of at least {found + 1} tests" in reason


def test_five_tests_are_wanted_unless_it_is_set_otherwise() -> None:
    (reason,) = check_suite(GOOD, SuiteFacts("solution")).reasons
    assert "1 of at least 5 tests" in reason


@pytest.mark.parametrize("source", SOURCES)
def test_real_suites_are_refused_only_for_what_they_do_wrong(shared_data: Path, source: str) -> None:
    rows = [json.loads(line) for line in (shared_data / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()]
    refused = {row["task_id"]: check_suite(row["hidden_tests"], FACTS).reasons for row in rows}
    refused = {name: reasons for name, reasons in refused.items() if reasons}
    assert set(refused) == {name for name in RIGHTLY_REFUSED if name.lower().startswith(source)}
    assert all("leaves a test out" in reason for (reason,) in refused.values())


def test_many_faults_become_few_and_short_reasons() -> None:
    wrong = "\n".join(
        f"def test_{'long' * 50}_{number}():\n    assert True\n    open('/{'x' * 500}', 'w')\n"
        f"    assert {number} == 1\n    pytest.skip('no')\n"
        for number in range(200)
    )
    reasons = check_suite(f"import pytest\nimport numpy\n{wrong}", FACTS).reasons
    assert 5 < len(reasons) <= MOST_REASONS
    assert all(len(reason) <= WIDTH and "\n" not in reason for reason in reasons)


MONSTERS = [
    "(" * 5000,
    "\0",
    "f'{" * 200,
    GOOD + "\ud800",
    "x = " + "-" * 9000 + "1",
    "x = " + "1+" * 9000 + "1",
    "assert " + "(" * 150 + "add" + ")" * 150,
    "assert " + "not " * 500 + "add",
    "x" + ".a" * 2000,
    "x" + "[0]" * 900,
    "x" + "()" * 900,
    "".join(f"{' ' * depth}if x:\n" for depth in range(99)) + " " * 99 + "pass",
    "if x:\n    pass\n" + "elif x:\n    pass\n" * 900,
    "time.sleep(" + "9" * 4000 + ")",
    "time.sleep(1e308 * 1e308 / 0)",
    "@pytest.mark.parametrize('x', range(10**9))\ndef test_x(x): assert add(x)",
    "@pytest.mark.parametrize('x', range(9999999999))\ndef test_x(x): assert add(x)",
    "@pytest.mark.parametrize('x', range())\n@pytest.mark.parametrize()\ndef test_x(x): assert add(x)",
    "a = a\nb = [*b, *b, *b]\n@pytest.mark.parametrize('x', b)\ndef test_x(x): open(a, 'w')",
    "class TestA(TestB): pass\nclass TestB(TestA): pass",
    "class TestA(TestA):\n    def test_a(self): assert add",
    "def test_ß(): assert 'ß' == 'ß'\ndef test_\U0001d431(): assert x == x",
    "from . import x\nfrom .. import y\nfrom ...z import *",
    "pytest.raises()\npytest.raises(*a, **b)\nopen()\nopen(*a)\nsqlite3.connect()\nPath()\nself.assertEqual(*x)",
    "with pytest.raises(): pass\nwith suppress(): assert x\nmock.patch.dict()\nsys.modules[x] = y\nimport_module()",
    "match x:\n    case {'a': [*_, 1]} if x == x: assert True",
    "type X = int\ndef test_x[T](a: T): assert a == a",
    "try: assert x\nexcept* ValueError: pass",
    "lambda: (yield)",
    f"def test_x(): assert {'x' * 100_000} == {'x' * 100_000}",
    "\n".join(f"def test_{n}(): assert f{n}() == f{n + 1}()" for n in range(2000)),
    "\n".join(f"class TestA{n}(TestA{n - 1}):\n    def test_{n}(self): helper_{n - 1}()" for n in range(1500)),
]


@pytest.mark.parametrize("text", MONSTERS, ids=range(len(MONSTERS)))
def test_no_monster_makes_the_gate_fail(text: str) -> None:
    verdict = check_suite(f"{text}\n", FACTS)
    assert isinstance(check_suite(f"{GOOD}\n{text}\n", SuiteFacts("solution")).passed, bool)
    assert not verdict.passed


def test_a_suite_of_monstrous_size_is_refused_unread() -> None:
    (reason,) = check_suite(GOOD * MOST_CHARACTERS, FACTS).reasons
    assert "more than 200,000 characters" in reason


@settings(deadline=None)
@given(st.text())
def test_no_text_makes_the_gate_fail(text: str) -> None:
    assert isinstance(check_suite(text, FACTS).passed, bool)
    assert isinstance(check_suite(f"{GOOD}\n{text}", FACTS).passed, bool)


TOKENS = (
    *(
        "assert",
        "x",
        "==",
        "True",
        "(",
        ")",
        "[",
        "]",
        "not",
        "or",
        "and",
        "in",
        "is",
        "0",
        "''",
        ",",
        ":",
        "\n",
        "\n    ",
    ),
    *(
        "with",
        "pytest.raises",
        "Exception",
        "as",
        "try:",
        "except",
        "finally:",
        "return",
        "yield",
        "lambda",
        "for",
        "if",
    ),
    *(
        "open",
        "'w'",
        "tmp_path",
        "/",
        "sys.modules",
        "solution",
        "add",
        "self.assertEqual",
        "time.sleep",
        "2",
        "*",
        "=",
    ),
    *(
        "def test_a():",
        "class TestA:",
        "@pytest.mark.parametrize",
        "import",
        "from",
        "async",
        "await",
        "len",
        ".",
        "{",
        "}",
    ),
)


@settings(deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_no_heap_of_python_words_makes_the_gate_fail(words: list[str]) -> None:
    text = " ".join(words)
    assert isinstance(check_suite(f"{GOOD}\n{text}\n", FACTS).passed, bool)
    assert isinstance(check_suite(f"{GOOD}\ndef test_b(x):\n    {text}\n", FACTS).passed, bool)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.data())
def test_no_change_to_a_real_suite_makes_the_gate_fail(
    shared_suites: list[str], chance: random.Random, data: st.DataObject
) -> None:
    lines = data.draw(st.sampled_from(shared_suites)).splitlines()[:80]
    for _ in range(chance.randint(1, 6)):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        change = chance.randrange(4)
        if change == 0:
            lines[at], lines[other] = lines[other], lines[at]
        elif change == 1:
            lines.insert(at, lines[other])
        elif change == 2:
            lines[at] = lines[at].replace("==", chance.choice(["=", "is", "!=", "in", ","]))
        elif len(lines) > 1:
            del lines[at]
    assert isinstance(check_suite("\n".join(lines), FACTS).passed, bool)


@pytest.fixture(scope="session")
def shared_suites() -> list[str]:
    folder = Path(__file__).parents[4] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real inputs do not lie beside this repository")
    texts = [(folder / f"{source}.jsonl").read_text(encoding="utf-8") for source in SOURCES]
    return [json.loads(line)["hidden_tests"] for text in texts for line in text.splitlines()]
