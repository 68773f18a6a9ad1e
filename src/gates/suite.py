"""The gate that a suite passes before any code is written for it. What each rule looks at is in the files beside."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from src.gates.assertions import tests_that_cannot_fail
from src.gates.available import unavailable
from src.gates.collected import count_cases
from src.gates.examined import check_examples
from src.gates.forbidden import forbidden_deeds
from src.gates.labels import check_provenance
from src.gates.lost import lost_failures
from src.gates.outline import MOST_LEVELS, Outline, levels
from src.gates.shadows import hidden_tests, shadowed_module
from src.gates.source import imports_module, parse
from src.gates.tautologies import tautologies
from src.gates.verdict import Verdict
from src.gates.writing import foreign_writes

MIN_TESTS = 5
"""Fewer tests say too little of what was asked."""

MOST_CHARACTERS = 200_000
"""A longer suite is refused unread."""

MOST_PER_RULE, MOST_REASONS, WIDTH = 4, 12, 400
"""Reasons of one rule, of a verdict, and characters of one: more would not help the author."""


@dataclass(frozen=True)
class SuiteFacts:
    """What the gate knows besides the suite."""

    module_name: str
    """Import name of the module that the suite must test."""
    min_tests: int = MIN_TESTS
    """Tests at least; each case of a parametrised one counts."""
    packages: frozenset[str] | None = frozenset()
    """Import names of what is installed besides the standard library, pytest and hypothesis; `None`: there is
    something, its names unknown."""
    request: str | None = None
    """What was asked for, which the labels of the tests must be true to; `None`: labels are not looked at."""


def check_suite(tests: str, facts: SuiteFacts) -> Verdict:
    """Refuse what can never be right: a suite that tests nothing, tests something else, or does what none may do."""
    if len(tests) > MOST_CHARACTERS:
        return Verdict((f"The suite has more than {MOST_CHARACTERS:,} characters; keep to one test per behaviour.",))
    tree = parse(tests)
    if isinstance(tree, str):
        return Verdict((f"The suite is not valid Python: {tree[:WIDTH]}.",))
    if levels(tree, MOST_LEVELS) >= MOST_LEVELS:
        return Verdict(("The suite is nested too deeply to be read; write its values and loops flat.",))
    outline = Outline(tree, facts.module_name)
    rules: tuple[Iterable[str], ...] = (
        _imports(outline),
        _few(outline, facts.min_tests),
        unavailable(outline, facts.packages),
        shadowed_module(outline),
        hidden_tests(outline),
        forbidden_deeds(outline),
        foreign_writes(outline),
        tautologies(outline),
        lost_failures(outline),
        tests_that_cannot_fail(outline),
        () if facts.request is None else check_provenance(tests, facts.request).reasons,
        () if facts.request is None else check_examples(tests, facts.request, facts.module_name).reasons,
    )
    return Verdict(tuple(islice(_bounded(rules), MOST_REASONS)))


def _imports(outline: Outline) -> Iterator[str]:
    module = outline.module_name
    if not imports_module(outline.tree, module):
        yield f"The suite imports nothing from `{module}`; it must import what it tests: `from {module} import …`."
    elif not outline.wanted:
        yield f"The suite imports `{module}` but uses no name of it; import each tested name by its name."


def _few(outline: Outline, least: int) -> Iterator[str]:
    if not outline.tests:
        yield "The suite has no test; pytest collects functions named `test_…`."
        return
    found = count_cases(outline.tree, outline.tests)
    if found < least:
        yield (
            f"The suite has {found} of at least {least} tests; add tests for further behaviour that the request "
            "names, or write each example as a case of `pytest.mark.parametrize`."
        )


def _bounded(rules: Iterable[Iterable[str]]) -> Iterator[str]:
    """The first reasons of each rule, each of bounded length."""
    for rule in rules:
        for reason in islice(rule, MOST_PER_RULE):
            yield reason if len(reason) <= WIDTH else f"{reason[: WIDTH - 1]}…"
