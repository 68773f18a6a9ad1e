"""The gate that the debugger's claim "these tests are wrong" passes before anybody is asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from src.gates.verdict import Verdict

_SHOWN = 20
"""Failing tests that a refusal lists at most."""


@dataclass(frozen=True)
class DisputeFacts:
    """What the gate knows besides the claim."""

    failing: tuple[str, ...]
    """Names of the tests that failed; only these can be disputed."""
    used: int
    """Disputes of the run so far."""
    most: int
    """Disputes of a run at most."""

    def resolved(self, names: Sequence[str]) -> list[str]:
        """The failing tests that `names` stand for, in their order; what stands for none is left out."""
        found = (self._of(name) for name in names)
        return list(dict.fromkeys(test for test in found if test))

    def unknown(self, names: Sequence[str]) -> list[str]:
        """Those of `names` that stand for no failing test."""
        return [name for name in names if not self._of(name)]

    def _of(self, name: str) -> str | None:
        """The failing test that is meant: file, class and case may be written or left out, if it stays one test."""
        bare = name.partition("[")[0].replace(".py::", "::").replace(".", "::")
        if bare in self.failing:
            return bare
        ends = [test for test in self.failing if bare.endswith(f"::{test}") or test.endswith(f"::{bare}")]
        return ends[0] if len(ends) == 1 else None


def check_dispute(names: Sequence[str], reason: str, facts: DisputeFacts) -> Verdict:
    """Refuse a claim that comes too late, names no test or one that did not fail, or gives no reason."""
    if facts.used >= facts.most:
        return Verdict((_too_late(facts),))
    failing = ", ".join(f"`{test}`" for test in facts.failing[:_SHOWN]) or "none"
    reasons = []
    if not names:
        reasons.append(f"The reply disputes tests and names none. Name them as the suite does; failing are: {failing}.")
    for name in facts.unknown(names)[:_SHOWN]:
        reasons.append(f"`{name}` is not a failing test of the suite; only failing tests can be disputed: {failing}.")
    if not any(character.isalnum() for character in reason):
        reasons.append("The reply says not why the tests are wrong: what the specification says, what they expect.")
    return Verdict(tuple(reasons))


def _too_late(facts: DisputeFacts) -> str:
    used = f"{facts.used} of {facts.most} are used" if facts.most else "the run allows none"
    return f"No dispute is left ({used}): every test stands. Mend the code and send the whole module."
