"""What a report lists of a run: refusals, the audit trail, disputes, open points."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from src.candidates import DROPPED_OUT, LEFT_OUT, Candidate, called
from src.open_points import Standing
from src.state import Role
from src.text import one_line


class Refusal(BaseModel):
    """A gate refused what a role wrote; see `src.state.Rejection`."""

    model_config = ConfigDict(extra="forbid")

    id: str
    """Unique within the run."""
    role: Role
    """Whose text was refused."""
    reasons: list[str]
    """Why, as sent to the author word for word."""


class AuditLine(BaseModel):
    """A line of the audit trail; see `src.state.AuditEntry`."""

    model_config = ConfigDict(extra="forbid")

    id: str
    """Unique within the run."""
    when: str
    """ISO 8601, UTC."""
    role: str
    """Whose text or claim it was about."""
    gate: str
    """What judged it."""
    reason: str
    """Why."""
    action: str
    """What happened then."""

    @property
    def telling(self) -> bool:
        """Whether the run took another course here than to ask the same author again."""
        return not self.action.startswith("asked again")

    @property
    def words(self) -> str:
        """The line without its time."""
        return f"{self.role}, {self.gate}: {one_line(self.reason, 300)}: {self.action}"


class TestDispute(BaseModel):
    """The debugger claimed that tests are wrong; see `src.state.Dispute`."""

    __test__ = False
    model_config = ConfigDict(extra="forbid")

    id: str
    """Unique within the run."""
    tests: list[str]
    """The disputed tests."""
    reason: str
    """The debugger's words."""
    evidence: list[str] = Field(default_factory=list)
    """What was measured: different candidates that agree with each other against a test."""
    decision: Literal["open", "kept", "amended", "refused"]
    """What the architect made of it; `refused`: its amendment did not pass the gate, and the tests were kept."""
    answer: str = ""
    """The architect's reason, or the gate's."""
    difference: str = ""
    """The change of the suite as a unified diff; empty when it was kept."""


class WrittenCandidate(BaseModel):
    """What one of several developers came to; see `src.candidates.Candidate`."""

    model_config = ConfigDict(extra="forbid")

    developer: int
    """Which one, from 1."""
    status: str
    """What the test run of its module came to; empty: it was not tested; `gave_up`: there is none; `left_out`: a
    provider failed it."""
    passed: int = 0
    """Tests that passed."""
    collected: int = 0
    """Tests of the suite."""
    same_as: int = 0
    """An earlier developer who wrote the same but for layout and comments, so that it was tested once; 0: nobody."""
    kept: bool = False
    """Whether the run went on from it."""

    @property
    def words(self) -> str:
        """The same in a few words."""
        how = f"{self.passed} of {self.collected}" if self.collected else self.status.replace("_", " ") or "not tested"
        same = f"as developer {self.same_as}" if self.same_as else how
        return f"developer {self.developer}: {same}{' (kept)' if self.kept else ''}"


def written(state: Mapping[str, Any]) -> list[WrittenCandidate]:
    """What became of each of several developers, as far as that is known; nothing where there is one alone."""
    told: list[Candidate] = state.get("candidates", [])
    found = [
        WrittenCandidate.model_validate({name: one[name] for name in WrittenCandidate.model_fields})  # type: ignore[literal-required]
        for one in told
    ]
    ways = {DROPPED_OUT: "gave_up", LEFT_OUT: "left_out"}
    out = {line["role"]: ways[line["action"]] for line in state.get("audit", []) if line["action"] in ways}
    named = {one: called("developer", one) for one in range(1, state.get("developers", 1) + 1)}
    gone = [WrittenCandidate(developer=one, status=out[who]) for one, who in named.items() if who in out]
    return sorted((*found, *gone), key=lambda one: one.developer)


class OpenPoint(BaseModel):
    """Behaviour that the request leaves open and the suite assumed; see `src.open_points.Assumption`."""

    model_config = ConfigDict(extra="forbid")

    id: str
    """Unique within the run."""
    words: str
    """What was assumed, in one line."""
    question: str
    """The same as a neutral question."""
    tests: list[str]
    """Names of the tests that rest on it."""
    standing: Standing
    """What became of it."""
    reading: str = ""
    """What the second reading, or a person, answered."""
    source: str = ""
    """Source of its tests when they were taken out of the suite."""


def flaky_line(tests: Sequence[str]) -> str:
    """Which tests flip, in words."""
    return f"flaky: {', '.join(tests)}; the same module ended otherwise when it was tested again at once"
