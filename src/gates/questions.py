"""Assumptions as neutral questions, and the tests whose labels are read a second time.

A question says what is called, and what was done before; never what the architect expects. The tests of one assumption
(markers with the same words) form one question; each of its calls can be answered by itself.
"""

import ast
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

from src.gates.answers import agrees, demanded
from src.gates.demands import Demand, demands_of
from src.gates.provenance import Provenance, own_markers, provenance_of
from src.gates.source import FoundTest, found_tests, parse
from src.gates.surroundings import Surroundings, surroundings

MAX_CALLS = 8
"""Calls of one question; further ones are of the same kind."""
MAX_TEST_SOURCE = 4_000
"""Longest source of one test that is shown, in characters."""


@dataclass(frozen=True)
class Question:
    """An assumption, asked."""

    id: str
    """`Q1`, `Q2`, …."""
    words: str
    """What the architect assumed; never part of the question."""
    tests: tuple[str, ...]
    """Names of its tests."""
    demands: tuple[Demand, ...]
    """What its tests demand, one call each; empty when it cannot be read off them."""

    @property
    def text(self) -> str:
        """The question in one line, without what is expected."""
        if not self.demands:
            return f"What does the request say about what {_listed(self.tests)} tests?"
        calls = [demand.call for demand in self.demands]
        setup = self.demands[0].setup
        if any(demand.setup != setup for demand in self.demands):
            setup, calls = (), ["; ".join((*demand.setup, demand.call)) for demand in self.demands]
        what = f"After `{'; '.join(setup)}`: what" if setup else "What"
        each = "each of " if len(calls) > 1 else ""
        return f"{what} should {each}{', '.join(f'`{call}`' for call in calls)} return or raise?"

    @property
    def calls(self) -> dict[str, str]:
        """Its calls by their ids (`Q1.1`), with what is done before them; empty when it has only one."""
        if len(self.demands) < 2:
            return {}
        return {
            f"{self.id}.{number}": "; ".join((*demand.setup, demand.call))
            for number, demand in enumerate(self.demands, start=1)
        }

    @property
    def expected(self) -> str:
        """What the architect demands, in words."""
        said = [demanded(demand) for demand in self.demands]
        if not said:
            return self.words
        if len(set(said)) == 1:
            return said[0]
        return "; ".join(f"{demand.call} {told}" for demand, told in zip(self.demands, said, strict=True))


@dataclass(frozen=True)
class Labelled:
    """A test whose label is read a second time."""

    id: str
    """`T1`, `T2`, …."""
    test: str
    """Its name."""
    source: str
    """Its source without the marker."""


def questions_of(tests: str, module_name: str) -> list[Question]:
    """The assumptions of a suite as questions; none when it does not parse."""
    tree = parse(tests)
    if isinstance(tree, str):
        return []
    around = surroundings(tree, module_name)
    by_words: dict[str, list[FoundTest]] = {}
    labels = provenance_of(tree)
    for test in _last_of_each(tree):
        label = labels.get(test.name)
        if label is not None and label.kind == "assumption":
            by_words.setdefault(" ".join(label.words.lower().split()) or test.name, []).append(test)
    return [_question(f"Q{number}", labels, found, around) for number, found in enumerate(by_words.values(), start=1)]


def labelled_tests(tests: str) -> list[Labelled]:
    """The tests that the architect called `request` or `property`."""
    tree = parse(tests)
    if isinstance(tree, str):
        return []
    labels = provenance_of(tree)
    wanted = [t for t in _last_of_each(tree) if t.name in labels and labels[t.name].kind in ("request", "property")]
    return [Labelled(f"T{number}", test.name, _unmarked(test)) for number, test in enumerate(wanted, start=1)]


def answered(question: Question, answer: str) -> bool:
    """Whether one answer to the whole question is what every one of its tests demands."""
    same = " ".join(answer.split()) == " ".join(question.expected.split())
    return same or (bool(question.demands) and all(agrees(answer, demand) for demand in question.demands))


def _question(name: str, labels: dict[str, Provenance], tests: list[FoundTest], around: Surroundings) -> Question:
    every = [demand for test in tests for demand in demands_of(test.function, around)]
    readable = all(demands_of(test.function, around) for test in tests)
    words = next((labels[test.name].words for test in tests if labels[test.name].words), _spoken(tests[0].name))
    demands = tuple(dict.fromkeys(every))[:MAX_CALLS] if readable else ()
    return Question(name, words, tuple(test.name for test in tests), demands)


def _last_of_each(tree: ast.Module) -> Iterable[FoundTest]:
    """The tests in order; of two with one name only the later one runs."""
    return {test.name: test for test in found_tests(tree)}.values()


def _unmarked(test: FoundTest) -> str:
    function = deepcopy(test.function)
    marks = {ast.dump(marker.node) for marker in own_markers(test)}
    function.decorator_list = [item for item in function.decorator_list if ast.dump(item) not in marks]
    return ast.unparse(function)[:MAX_TEST_SOURCE]


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _spoken(name: str) -> str:
    return name.rpartition("::")[2].removeprefix("test_").replace("_", " ")
