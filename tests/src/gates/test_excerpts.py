"""Markers say why a test may demand what it demands; they are read, cut out and written without harm to the rest."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from src.gates import source as reading
from src.gates.excerpts import relabelled, sources_of, without_tests
from src.gates.provenance import KINDS, Provenance, provenance_of, strength

SUITE = '''"""About doubling."""

import pytest
from solution import double

pytestmark = pytest.mark.property("doubling adds a number to itself")


@pytest.mark.request("doubles a number")
def test_own() -> None:
    assert double(2) == 4


# A word about what follows.
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.assumption("two is even"))])
def test_of_module(n: int) -> None:
    assert double(n) == n + n


@pytest.mark.assumption("nothing is doubled to nothing")
class TestNothing:
    """Nothing."""

    def test_of_class(self) -> None:
        assert double(0) == 0

    @(
        pytest.mark.example("double(0.0) is 0.0")
    )
    def test_of_its_own(self) -> None:
        assert double(0.0) == 0.0


def helper() -> int:
    return 3


def test_last() -> None: assert double(helper()) == 6
'''

ALL = reading.test_names(ast.parse(SUITE))


def test_the_nearest_marker_counts() -> None:
    assert [(p.test, p.kind, p.words) for p in provenance_of(SUITE).values()] == [
        ("test_own", "request", "doubles a number"),
        ("test_of_module", "property", "doubling adds a number to itself"),
        ("TestNothing::test_of_class", "assumption", "nothing is doubled to nothing"),
        ("TestNothing::test_of_its_own", "example", "double(0.0) is 0.0"),
        ("test_last", "property", "doubling adds a number to itself"),
    ]


def test_an_example_carries_most_and_an_assumption_least() -> None:
    assert sorted(KINDS, key=strength, reverse=True) == ["example", "request", "property", "assumption"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("from pytest import mark\n@mark.request('a')\ndef test_x(): pass\n", "a"),
        ("import pytest as pt\n@pt.mark.request('a' 'b')\nasync def test_x(): pass\n", "ab"),
        ("import pytest\nclass TestX:\n    pytestmark = [pytest.mark.request('a')]\n    def test_x(self): pass\n", "a"),
        ("import pytest\n@pytest.mark.request\ndef test_x(): pass\n", ""),
        ("import pytest\n@pytest.mark.request(WORDS)\ndef test_x(): pass\n", ""),
        ("import pytest\n@pytest.mark.request('a', 'b')\ndef test_x(): pass\n", ""),
    ],
)
def test_markers_in_other_spellings(source: str, words: str) -> None:
    assert [(p.kind, p.words) for p in provenance_of(source).values()] == [("request", words)]


@pytest.mark.parametrize(
    "decorator", ["@example('a')", "@hypothesis.example('a')", "@pytest.mark.slow", "@property", "@pytest.fixture"]
)
def test_other_decorators_are_no_markers(decorator: str) -> None:
    assert provenance_of(f"{decorator}\ndef test_x(): pass\n") == {}


def test_the_weakest_of_several_markers_counts() -> None:
    source = "import pytest\n@pytest.mark.example('a')\n@pytest.mark.assumption('b')\ndef test_x(): pass\n"
    assert provenance_of(source)["test_x"].kind == "assumption"


def test_tests_are_cut_out_by_their_lines() -> None:
    cut = without_tests(SUITE, ["test_of_module", "TestNothing::test_of_its_own"])
    gone = [line for line in SUITE.splitlines(True) if line not in cut.splitlines(True)]
    assert "".join(gone) == (
        '@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.assumption("two is even"))])\n'
        "def test_of_module(n: int) -> None:\n    assert double(n) == n + n\n"
        '    @(\n        pytest.mark.example("double(0.0) is 0.0")\n    )\n'
        "    def test_of_its_own(self) -> None:\n        assert double(0.0) == 0.0\n"
    )
    assert reading.test_names(ast.parse(cut)) == ["test_own", "TestNothing::test_of_class", "test_last"]


def test_a_class_without_its_tests_goes_too() -> None:
    assert "TestNothing" not in without_tests(SUITE, [name for name in ALL if "::" in name])


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("class TestA:\n    def test_x(self): pass\n    SIZE = 3\n", "class TestA:\n    SIZE = 3\n"),
        (
            "class TestA:\n    def test_x(self): pass\nclass TestB(TestA): pass\n",
            "class TestA:\n    pass\nclass TestB(TestA): pass\n",
        ),
        ("if True:\r\n\tdef test_x(): pass\r\nX = 1\r\n", "if True:\r\n\tpass\r\nX = 1\r\n"),
        (
            "try:\n    X = 1\nfinally:\n    class TestA:\n        def test_x(self): pass",
            "try:\n    X = 1\nfinally:\n    pass",
        ),
    ],
)
def test_what_is_left_is_still_a_module(source: str, left: str) -> None:
    assert without_tests(source, reading.test_names(ast.parse(source))) == left


def test_sources_are_handed_over_with_their_decorators() -> None:
    assert sources_of(SUITE, {"test_last", "TestNothing::test_of_its_own"}) == (
        '@(\n    pytest.mark.example("double(0.0) is 0.0")\n)\n'
        "def test_of_its_own(self) -> None:\n    assert double(0.0) == 0.0\n"
        "\n\n"
        "def test_last() -> None: assert double(helper()) == 6\n"
    )


def test_a_marker_is_replaced_where_it_stands() -> None:
    labels = {name: Provenance(name, "assumption", f"“{name}” isn't settled") for name in ALL}
    written = relabelled(SUITE, labels)
    assert provenance_of(written) == labels
    assert without_tests(written, ALL) == without_tests(SUITE, ALL)
    unmarked = [line for line in written.splitlines() if "isn't settled" not in line]
    assert "assert double(2) == 4" in "\n".join(unmarked)
    assert '    @(\n        pytest.mark.assumption("“TestNothing::test_of_its_own” isn\'t settled")\n    )\n' in written


@pytest.mark.parametrize(
    ("source", "written"),
    [
        (
            '"""Doc."""\nfrom __future__ import annotations\n\ndef test_x(): pass\n',
            '"""Doc."""\nfrom __future__ import annotations\n\n'
            'import pytest\n@pytest.mark.request("a")\ndef test_x(): pass\n',
        ),
        (
            "from pytest import mark\n@mark.property('ä') # why\ndef test_x(): pass\n",
            'from pytest import mark\n@mark.request("a") # why\ndef test_x(): pass\n',
        ),
        (
            "import pytest\n@pytest.mark.property('b')\n@pytest.mark.slow\n"
            "@pytest.mark.example('c')\ndef test_x(): pass\n",
            'import pytest\n@pytest.mark.request("a")\n@pytest.mark.slow\ndef test_x(): pass\n',
        ),
    ],
)
def test_a_marker_is_written_as_the_suite_would(source: str, written: str) -> None:
    assert relabelled(source, {"test_x": Provenance("test_x", "request", "a")}) == written


def test_a_suite_that_does_not_parse_is_left_alone() -> None:
    assert without_tests("def test_x(:", ["test_x"]) == "def test_x(:"
    assert relabelled("def test_x(:", {"test_x": Provenance("test_x", "request", "a")}) == "def test_x(:"
    assert (sources_of("def test_x(:", ["test_x"]), provenance_of("def test_x(:")) == ("", {})


PIECES = st.sampled_from(
    [*SUITE.splitlines(True), "\r\n", "\r", "\x0c", "\\\n", "\t", "if 1:\n", "    def test_own(self): pass\n", "ä", "#"]
)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.lists(PIECES).map("".join), st.text(), st.permutations(SUITE.split("\n\n\n")).map("\n\n\n".join)),
    st.text(),
)
def test_nothing_makes_them_raise_and_what_parsed_still_parses(source: str, words: str) -> None:
    labels = {name: Provenance(name, "assumption", words) for name in ALL}
    cut, written = without_tests(source, ALL), relabelled(source, labels)
    sources_of(source, ALL)
    if isinstance(tree := reading.parse(source), str):
        assert cut == written == source
        return
    assert not set(reading.test_names(ast.parse(cut))) & set(ALL)
    assert reading.test_names(ast.parse(written)) == reading.test_names(tree)
    assert provenance_of(written) == {
        **provenance_of(source),
        **{n: labels[n] for n in reading.test_names(tree) if n in labels},
    }


@pytest.mark.parametrize("deep", ["elif 1: pass\n" * 1200, "else: pass\n"])
def test_a_long_chain_is_no_trouble(deep: str) -> None:
    source = f"if 1: pass\n{deep}def test_own(): pass\n"
    assert "def test_own" not in without_tests(source, ["test_own"])


@pytest.mark.parametrize("corpus", ["humaneval", "quixbugs", "exercism"])
def test_real_suites_are_marked_and_cut(shared_data: Path, corpus: str) -> None:
    for line in (shared_data / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines():
        suite = json.loads(line)["hidden_tests"]
        names = reading.test_names(ast.parse(suite))
        labels = {name: Provenance(name, "request", "as asked") for name in names}
        assert provenance_of(relabelled(suite, labels)) == labels
        assert reading.test_names(ast.parse(without_tests(suite, names[::2]))) == names[1::2]
