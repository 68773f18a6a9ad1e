"""What measured failures say about a disputed test: do different candidates agree with each other against it?

Modules of several developers, who saw nothing of each other, say the most: what they agree on has no common source but
the request and the suite. (Chen et al., CodeT, 2022, choose among candidates and tests by such agreement.)

Nobody is asked. When two candidates that were written differently fail one test with the very same observed value, the
test is the likelier suspect. That is recorded beside the dispute and never shown to whoever decides it. The debugger,
who may raise one, is told where developers agree.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from src.gates.fingerprint import fingerprint
from src.state import Observation

MAX_CANDIDATES = 12
"""Candidates whose failures are kept, the latest ones."""
MAX_TESTS = 40
"""Failing tests that are kept of each."""
MAX_TEXT = 300
"""Longest text that is kept of a failure, in characters."""

MAX_TOLD = 5
"""Cases that the debugger is told of."""

APART = "developers who saw nothing of each other"
FAILED = ("failed", "error")
"""Outcomes of a test that can be disputed: it ran, and said no."""


def failing_tests(results: Mapping[str, Any]) -> list[str]:
    """Names of the tests that failed, without the parameters of their cases, in order."""
    return list(dict.fromkeys(name_of(test) for test in _failures(results)))


def observed(
    before: Sequence[Observation],
    code: str,
    results: Mapping[str, Any],
    iteration: int = 0,
    developers: Sequence[int] = (),
) -> list[Observation]:
    """`before`, and how `code` of that pass failed; one entry for each fingerprint, the latest measurement of it.

    `developers`: who of several wrote it.
    """
    failures = {test["id"]: _text(test) for test in _failures(results)[:MAX_TESTS]}
    latest = Observation(candidate=fingerprint(code), iteration=iteration, failures=failures)
    earlier = [entry for entry in before if entry["candidate"] == latest["candidate"]]
    if wrote := [*developers, *(number for entry in earlier for number in entry.get("developers", []))]:
        latest["developers"] = sorted(set(wrote))
    return [*(entry for entry in before if entry not in earlier), latest][-MAX_CANDIDATES:]


def origin(before: Sequence[Observation], code: str) -> int | None:
    """Which pass of the debugger `code` came from; `None` when it was not tested yet."""
    candidate = fingerprint(code)
    return next((entry["iteration"] for entry in before if entry["candidate"] == candidate), None)


def forgotten(before: Sequence[Observation], tests: Collection[str]) -> list[Observation]:
    """`before` without what was observed in `tests`: they were amended, and are other tests now."""
    return [
        Observation(
            {
                **entry,
                "failures": {
                    test: text for test, text in entry["failures"].items() if test.partition("[")[0] not in tests
                },
            }
        )
        for entry in before
    ]


def agreement(observations: Sequence[Observation], tests: Collection[str]) -> list[str]:
    """One line for each case of `tests` in which different candidates, or independent developers, observed the same."""
    seen: dict[tuple[str, str], list[Observation]] = {}
    for entry in observations:
        for test, text in entry["failures"].items():
            if test.partition("[")[0] in tests and text:
                seen.setdefault((test, text), []).append(entry)
    agreed = ((_who(entries), test, text) for (test, text), entries in seen.items())
    return [f"{who} agree with each other against {test}: {text}" for who, test, text in agreed if who]


def agreed_apart(observations: Sequence[Observation], tests: Collection[str]) -> list[str]:
    """The lines of `agreement` that several developers stand for who saw nothing of each other, the first few."""
    written = [entry for entry in observations if independent(entry)]
    return [line for line in agreement(written, tests) if line.partition(" ")[2].startswith(APART)][:MAX_TOLD]


def independent(entry: Observation) -> list[int]:
    """Who of several developers wrote a candidate; nobody, where a single one did or a patch led to it."""
    return entry.get("developers", [])


def _who(entries: Sequence[Observation]) -> str:
    """Who agrees: modules that differ, or developers who may have written the very same; empty when it is one alone."""
    developers = {number for entry in entries for number in independent(entry)}
    patched = sum(not independent(entry) for entry in entries)
    if len(developers) > 1:
        more = f", and {patched} more {'candidate' if patched == 1 else 'candidates'}," if patched else ""
        return f"{len(developers)} {APART}{more}"
    return f"{len(entries)} different candidates" if len(entries) > 1 else ""


def name_of(test: Mapping[str, Any]) -> str:
    """The name of an outcome's test, without the parameters of its case."""
    return str(test["id"]).partition("[")[0]


def _failures(results: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [test for test in results.get("tests", []) if test["outcome"] in FAILED]


def _text(test: Mapping[str, Any]) -> str:
    """Both sides of the assertion where there were two, else the message; with the line, since a test has several."""
    compared = test.get("comparison")
    told = f"{compared['left']} {compared['operator']} {compared['right']}" if compared else test.get("message", "")
    return f"{' '.join(str(test.get('source', '')).split())[:120]} → {' '.join(str(told).split())}"[:MAX_TEXT]
