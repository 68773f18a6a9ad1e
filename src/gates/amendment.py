"""The gate that an amended suite passes: it changes the disputed tests alone, and weakens none without a reason.

The merge is done here, by code: whatever the architect sends, everything but the disputed tests stays as it was, word
for word. What cannot be merged is refused.
"""

import ast
import builtins
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from src.gates.excerpts import without_tests
from src.gates.merging import Cut, additions, spliced, strangers
from src.gates.source import defined_names, imported_names, parse, test_names
from src.gates.strength import rows_of, strength_of
from src.gates.verdict import Verdict

_QUOTED = re.compile(r"[\"“”„«»`']([^\"“”„«»`'\n]{6,400})[\"“”„«»`']|^[ \t]*>[ \t]*(.{6,400})$", re.M)
_LEAST_QUOTE = 2
"""Words that a quotation has at least."""
_LEAST_SAYING = 3
"""Words that are said about a quotation at least."""


@dataclass(frozen=True)
class AmendmentFacts:
    """What the gate knows besides the amendment."""

    tests: str
    """The suite as it is."""
    disputed: tuple[str, ...]
    """Names of the disputed tests."""
    specs: str
    """The specification."""
    module_name: str
    """Import name of the module."""


@dataclass(frozen=True)
class Amendment:
    """What came of an answer."""

    verdict: Verdict
    """Whether the suite may be changed so."""
    tests: str = ""
    """The amended suite; empty when it cannot be put together."""


def amend(answer: str, contradiction: str, facts: AmendmentFacts) -> Amendment:
    """Put the amended tests of `answer` (the whole suite, or only these tests) into the suite and judge what comes out.

    What every suite must be is judged elsewhere, by the gate that judged the first one.
    """
    try:
        return _amended(answer, contradiction, facts)
    except RecursionError:  # deeper than its tree can be compared, though not than Python can parse
        return Amendment(Verdict(("The amended tests are nested too deeply.",)))


def _amended(answer: str, contradiction: str, facts: AmendmentFacts) -> Amendment:
    old, new = parse(facts.tests), parse(answer)
    if isinstance(old, str) or isinstance(new, str):
        return Amendment(Verdict((f"The amended tests are not valid Python: {new}.",)))
    cut = Cut(old, new, facts.disputed, facts.module_name)
    reasons = [*_strange(cut), *_imports(cut, facts.module_name)]
    if not cut.changed and not cut.removed and not cut.revised:
        reasons.append("No disputed test is changed. Answer keep, or send the tests as they should be.")
    if reasons:
        return Amendment(Verdict(tuple(reasons)))
    merged = spliced(facts.tests, answer, cut)
    if merged is None:
        return Amendment(Verdict(("The tests cannot be told apart; put each on lines of its own.",)))
    weaker = _weaker(cut)
    if weaker and (doubt := _unfounded(contradiction, facts.specs)):
        return Amendment(Verdict(tuple(f"{reason} {doubt}" for reason in weaker)), merged)
    return Amendment(Verdict(), merged)


def _strange(cut: Cut) -> list[str]:
    return [f"{what}; only {_listed(cut.disputed)} may be changed." for what in strangers(cut)]


def _imports(cut: Cut, module_name: str) -> list[str]:
    """An import can change every test at once: by giving a name that the suite has another meaning."""
    taken = defined_names(cut.old) | set(dir(builtins))
    known = imported_names(cut.old, module_name)
    reasons = []
    for node in additions(cut):
        bound = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        if clash := sorted(bound & taken):
            reasons.append(f"The import of `{clash[0]}` gives a name of the suite another meaning.")
        asked = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
        if isinstance(node, ast.ImportFrom) and node.module == module_name and not asked <= known:
            reasons.append(f"The import of `{sorted(asked - known)[0]}` demands a name that the suite did not demand.")
    return reasons


def _weaker(cut: Cut) -> list[str]:
    reasons = [f"`{name}` is taken out, and a suite may not have fewer tests than before." for name in cut.removed]
    for name, node in cut.changed.items():
        before, after = strength_of(cut.before[name]), strength_of(node)
        reasons.extend(f"`{name}` has fewer {what} than before." for what in before.lost_in(after))
    for name, constant in cut.revised.items():
        if rows_of(constant.value) < rows_of(cut.own[name].value):
            reasons.append(f"`{name}` has fewer cases than before.")
    return reasons


def _unfounded(contradiction: str, specs: str) -> str:
    """Why a weakening stands on nothing; empty when the specification's own words are brought up against the test."""
    if not contradiction.strip():
        return (
            "That is possible only when the specification contradicts the test: quote its words under CONTRADICTION "
            "and say how."
        )
    quotes = [first or second for first, second in _QUOTED.findall(contradiction)]
    told = _plain(specs)
    found = [quote for quote in quotes if len(_plain(quote).split()) >= _LEAST_QUOTE and _holds(told, _plain(quote))]
    if not found:
        return "What CONTRADICTION quotes does not occur in the specification; quote its words as they stand there."
    rest = contradiction
    for quote in quotes:
        rest = rest.replace(quote, " ")
    if len(_plain(rest).split()) < _LEAST_SAYING:
        return "CONTRADICTION quotes the specification but does not say how it contradicts the test."
    return ""


def _holds(text: str, words: str) -> bool:
    return f" {words} " in f" {text} "


def _plain(text: str) -> str:
    """Words alone: case, marks and line breaks make no other text."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def excerpt_of(tests: str, disputed: Collection[str]) -> str:
    """The disputed tests and what the suite shares between its tests; its other tests are left out."""
    tree = parse(tests)
    others = [] if isinstance(tree, str) else [name for name in test_names(tree) if name not in disputed]
    return re.sub(r"\n{4,}", "\n\n\n", without_tests(tests, others))
