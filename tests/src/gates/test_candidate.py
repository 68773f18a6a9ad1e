"""What a candidate must be before it is run."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.gates.candidate import CandidateFacts, check_candidate
from src.gates.fingerprint import fingerprint

SUITE = "from solution import add, Counter\nimport solution\n\ndef test_it():\n    assert solution.LIMIT == add(1, 2)\n"
FACTS = CandidateFacts("solution", SUITE)
GOOD = "LIMIT = 3\n\ndef add(a, b):\n    return a + b\n\nclass Counter:\n    pass\n"


def test_a_module_that_defines_what_the_suite_imports_passes() -> None:
    assert FACTS.wanted == {"add", "Counter", "LIMIT"}
    assert check_candidate(GOOD, FACTS).passed


@pytest.mark.parametrize(
    "definition",
    [
        "from math import fsum as add",
        "if True:\n    add = sum",
        "try:\n    from fast import add\nexcept ImportError:\n    def add(a, b):\n        return a + b",
        "add: object = sum",
        "for add in [sum]:\n    pass",
        "with open('x') as add:\n    pass",
        "(add, other) = sum, max",
        "print(add := sum)",
        "def build():\n    global add\n    add = sum\nbuild()",
        "def __getattr__(name):\n    return sum",
        "globals()['add'] = sum",
        "from operator import *",
        "match 1:\n    case 1:\n        add = sum",
    ],
)
def test_every_way_to_define_a_name_counts(definition: str) -> None:
    assert check_candidate(f"LIMIT = 3\nclass Counter: ...\n{definition}\n", FACTS).passed


def test_names_that_are_missing_are_named() -> None:
    (reason,) = check_candidate("def add(a, b):\n    LIMIT = 1\n    return a + b\n", FACTS).reasons
    assert "`Counter`, `LIMIT`" in reason


def test_a_module_that_does_not_parse_is_refused_with_the_line() -> None:
    (reason,) = check_candidate("def add(a, b)\n    return a + b\n", FACTS).reasons
    assert "not valid Python: line 1" in reason


@pytest.mark.parametrize(
    "tests",
    [
        "def test_add():\n    assert add(1, 1) == 2\n",
        "class TestAdd:\n    def test_small(self):\n        pass\n",
        "import unittest\nclass Sums(unittest.TestCase):\n    def test_small(self):\n        pass\n",
    ],
)
def test_a_module_that_contains_tests_is_refused(tests: str) -> None:
    (reason,) = check_candidate(GOOD + tests, FACTS).reasons
    assert "contains tests" in reason


def test_names_that_only_sound_like_tests_are_kept() -> None:
    code = GOOD + "def testable(x):\n    return x\n\nclass TestBed:\n    def run(self):\n        pass\n"
    assert check_candidate(code, FACTS).passed


def test_a_name_that_the_suite_imports_is_no_test_of_the_module() -> None:
    facts = CandidateFacts("solution", "from solution import test_card\n\ndef test_it():\n    assert test_card('1')\n")
    assert check_candidate("def test_card(number):\n    return True\n", facts).passed


def test_a_module_that_imports_itself_is_refused() -> None:
    (reason,) = check_candidate(f"from solution import other\n{GOOD}", FACTS).reasons
    assert "imports itself" in reason


@given(st.text() | st.sampled_from(["(" * 5000, "\0", "x = " + "-" * 9000 + "1", GOOD + "\ud800"]))
def test_no_text_makes_the_gate_fail(text: str) -> None:
    assert isinstance(check_candidate(text, FACTS).passed, bool)
    assert isinstance(check_candidate(GOOD, CandidateFacts("solution", text)).passed, bool)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("def add(a, b):\n    ...", "`add` has no body (line 3)"),
        ("def add(a, b):\n    '''Adds.'''\n    pass", "`add` has no body (line 3)"),
        ("def add(a, b):\n    raise NotImplementedError('later')", "`add` has no body (line 3)"),
        (
            "def add(a, b):\n    # TODO: implement\n    return 0",
            "`add` is not written out (line 4: `# TODO: implement`)",
        ),
        ("def add(a, b):\n    # your code here\n    return 0", "`add` is not written out (line 4"),
        ("def add(a, b):\n    x = a\n    # ... rest of the code unchanged ...\n    return x", "(line 5"),
    ],
)
def test_a_placeholder_in_a_name_that_the_suite_uses_is_refused(body: str, shown: str) -> None:
    (reason,) = check_candidate(f"LIMIT = 3\nclass Counter: ...\n{body}\n", FACTS).reasons
    assert shown in reason


@pytest.mark.parametrize(
    "note",
    [
        "... existing code ...",
        "... (existing code unchanged)",
        "Implementation goes here",
        "the actual implementation goes here",
        "... the remaining logic is the same ...",
        "other branches omitted for brevity",
        "[same as before]",
        "… rest of the function …",
    ],
)
def test_a_comment_that_stands_for_code_is_refused_however_it_is_worded(note: str) -> None:
    (reason,) = check_candidate(
        f"LIMIT = 3\nclass Counter: ...\ndef add(a, b):\n    # {note}\n    return 0\n", FACTS
    ).reasons
    assert f"`add` is not written out (line 4: `# {note}`)" in reason


@pytest.mark.parametrize(
    "note",
    ["same as above, but for the end", "existing code may call this", "logic of the clock"],
)
def test_a_comment_that_only_speaks_of_code_passes(note: str) -> None:
    assert check_candidate(f"LIMIT = 3\nclass Counter: ...\ndef add(a, b):\n    # {note}\n    return 0\n", FACTS).passed


def test_a_method_that_the_suite_calls_must_have_a_body() -> None:
    facts = CandidateFacts("solution", "from solution import Box\n\ndef test_it():\n    assert Box().size() == 0\n")
    code = "class Box:\n    def size(self):\n        raise NotImplementedError\n\n    def other(self):\n        ...\n"
    (reason,) = check_candidate(code, facts).reasons
    assert "`Box.size` has no body (line 2)" in reason


@pytest.mark.parametrize(
    "code",
    [
        "import abc\nclass Box(abc.ABC):\n    @abc.abstractmethod\n    def size(self):\n        ...\n",
        "from typing import Protocol\nclass Box(Protocol):\n    def size(self): ...\n",
        "class Box(Exception):\n    pass\n",
        "class Box:\n    def size(self):\n        # TODO: implement a faster way some day\n        return 0\n",
        "class Box:\n    def size(self):\n        pass\n",
        "class Box:\n    def size(self):\n        return 0\n\ndef helper():\n    raise NotImplementedError\n",
    ],
)
def test_what_is_meant_to_be_empty_passes(code: str) -> None:
    facts = CandidateFacts("solution", "from solution import Box\n\ndef test_it():\n    assert Box.size\n")
    assert check_candidate(code, facts).passed


def test_an_import_that_is_not_there_is_refused_with_what_is() -> None:
    code = f"import numpy as np\nfrom yaml import load\n{GOOD}def run():\n    import pandas.io\n"
    (reason,) = check_candidate(code, CandidateFacts("solution", SUITE, packages=frozenset({"yaml"}))).reasons
    assert "`numpy` (line 1), `pandas` (line 11)" in reason
    assert "there is: the standard library, yaml." in reason
    assert check_candidate(code, CandidateFacts("solution", SUITE, packages=None)).passed, "names are not known"


def test_a_relative_import_is_refused() -> None:
    (reason,) = check_candidate(f"from .parts import x\n{GOOD}", FACTS).reasons
    assert "the module stands alone" in reason


@pytest.mark.parametrize(
    "attempt",
    [
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None",
        "try:\n    import numpy\nexcept (AttributeError, ModuleNotFoundError):\n    numpy = None",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy",
        "import os.path, xml.etree.ElementTree",
    ],
)
def test_an_import_that_may_fail_passes(attempt: str) -> None:
    assert check_candidate(f"{attempt}\n{GOOD}", FACTS).passed


def test_a_candidate_that_failed_before_is_refused_whatever_its_layout_and_comments() -> None:
    facts = CandidateFacts("solution", SUITE, failed=frozenset({fingerprint(GOOD)}))
    same = f'"""A module."""\n# at first\n{GOOD.replace("a + b", "(a   +   b)")}'
    (reason,) = check_candidate(same, facts).reasons
    assert "was tested before" in reason
    assert check_candidate(GOOD.replace("a + b", "b + a"), facts).passed


@pytest.mark.parametrize("name", ["humaneval", "quixbugs", "exercism"])
def test_no_right_module_is_refused(name: str, shared_data: Path) -> None:
    for line in (shared_data / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        facts = CandidateFacts("solution", task["hidden_tests"])
        assert check_candidate(task["reference_solution"], facts).reasons == (), task["task_id"]
