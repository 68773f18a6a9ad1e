"""What the failures of a run say together: where the next patch starts, and whether the run turns in place."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sandbox import TestReport
from src.failures.signature import signature
from src.gates.fingerprint import fingerprint
from src.state import Best, Failure, TeamState, measured_best

Strategy = Literal["patch", "rewrite", "stop"]
"""`patch`: mend the module. `rewrite`: the same failure came twice, so write it anew without looking at it. `stop`: it
came three times."""

STUCK = "the same failure came three times"
_NAMED = 20


def strategy(state: TeamState) -> Strategy:
    """What to do about the latest failure."""
    failures = current_failures(state)
    if not failures:
        return "patch"
    times = Counter(failure["signature"] for failure in failures)[failures[-1]["signature"]]
    return "patch" if times < 2 else "rewrite" if times == 2 else "stop"


def current_failures(state: TeamState) -> list[Failure]:
    """Failures of the suite as it is now; what an earlier suite said of a candidate does not count."""
    suite = _digest(state.get("tests", ""))
    return [failure for failure in state.get("failures", []) if failure["suite"] == suite]


def failure_of(state: TeamState, red: Best, flaky: list[str]) -> Failure:
    """The record of a red candidate, against the one that was best before it."""
    iteration, suite = red["iteration"], _digest(state["tests"])
    before, now = _passed(measured_best(state)), _ids(red["test_results"])
    return Failure(
        id=f"{iteration}-{suite[:12]}",
        iteration=iteration,
        suite=suite,
        candidate=fingerprint(red["code"]),
        signature=signature(TestReport.model_validate(red["test_results"]), flaky),
        mended=[name for name in now if before and name not in before][:_NAMED],
        broke=[name for name in before if name not in now and name not in flaky][:_NAMED],
        flaky=flaky[:_NAMED],
    )


def failed_candidates(state: TeamState) -> frozenset[str]:
    """Fingerprints of the candidates that the suite has failed, those of several developers that were not kept too."""
    others = (seen["candidate"] for seen in state.get("observations", []) if "developers" in seen and seen["failures"])
    return frozenset((*others, *(failure["candidate"] for failure in current_failures(state))))


@dataclass(frozen=True)
class Start:
    """What the next patch starts from."""

    code: str
    """The module."""
    report: TestReport
    """What was measured of it."""
    iteration: int
    """Which pass of the debugger it came from."""
    last: Failure | None
    """The latest failure."""
    dropped: bool
    """Whether the latest candidate was dropped for an earlier one: it broke what had passed."""


def start_of(state: TeamState) -> Start:
    """The latest candidate, or the best one when the latest broke what passes there."""
    last = next(iter(current_failures(state)[-1:]), None)
    best = measured_best(state)
    if last and last["broke"] and best and best["code"] != state["code"]:
        return Start(best["code"], TestReport.model_validate(best["test_results"]), best["iteration"], last, True)
    report = TestReport.model_validate(state["test_results"])
    return Start(state["code"], report, state.get("iteration", 0), last, False)


def _passed(best: Best | None) -> list[str]:
    return _ids(best["test_results"]) if best else []


def _ids(results: Mapping[str, Any]) -> list[str]:
    return [test["id"] for test in results["tests"] if test["outcome"] == "passed"]


def _digest(suite: str) -> str:
    return hashlib.sha256(suite.encode("utf-8", "surrogatepass")).hexdigest()
