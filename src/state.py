"""What the graph carries from node to node: plain data only, so that a checkpoint restores exactly what was saved."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from src.candidates import Candidate, latest_by_id
from src.open_points import Assumption, OpenQuestion, Reading

Role = Literal["architect", "developer", "debugger", "reviewer", "reader"]
ROLES: tuple[Role, ...] = ("architect", "developer", "debugger", "reviewer", "reader")

Called = Role | Literal["embedding"]
"""Whom a call was made to: a role's model, or the embedding model that finds lessons by their meaning."""

Assume = Literal["list", "drop", "ask"]
"""What becomes of tests that rest on assumptions. `list`: contested ones do not bind the code. `drop`: none binds it.
`ask`: contested ones are asked of a person."""

Message = tuple[Literal["system", "human", "ai"], str]
"""Who speaks to a model, and what."""

Status = Literal[
    "starting",
    "specs_ready",
    "nothing_binds",
    "code_generated",
    "tests_passed",
    "tests_failed",
    "code_patched",
    "tests_disputed",
    "tests_kept",
    "tests_amended",
    "completed",
    "gave_up",
    "aborted",
]
"""Where a run stands. `gave_up`: a role used up its corrections; what was reached before is kept. `nothing_binds`: no
test is left that may demand anything of the code. `aborted`: a person ended the run."""


class Call(TypedDict):
    """One request to a model, counted whether its reply was of use or not. They are kept in the ledger."""

    id: str
    """Unique within the run."""
    role: Called
    """Who was asked."""
    model: str
    """The model that answered."""
    input_tokens: int | None
    """Tokens read; `None` when the provider did not say."""
    output_tokens: int | None
    """Tokens written, thinking included."""
    reasoning_tokens: int | None
    """The thinking part of `output_tokens`."""
    cached_tokens: int | None
    """The cached part of `input_tokens`."""
    cost: float | None
    """Dollars; `None` when the price is unknown."""
    seconds: float
    """Wall-clock seconds of the call."""
    developer: NotRequired[int]
    """Which of several developers was asked; absent when there is one alone."""
    standing: Literal["open", "answered", "failed", "lost"]
    """`open`: its end is not known. `lost`: an attempt without an answer, sent again since."""


class Rejection(TypedDict):
    """A gate refused what a role wrote."""

    id: str
    """Unique; merging by it keeps a rejection from being listed twice."""
    role: Role
    """Whose text was refused."""
    reasons: list[str]
    """Why, as sent to the author word for word."""


class AuditEntry(TypedDict):
    """One line of the audit trail: something was refused, corrected, escalated, disputed or decided."""

    id: str
    """Unique, and the same when a step is done again after a crash."""
    when: str
    """ISO 8601, UTC."""
    role: str
    """Whose text or claim it was about."""
    gate: str
    """What judged it: `format`, `suite`, `vetting`, `candidate`, `second reading`, `dispute`, `budget`, `person`, …."""
    reason: str
    """Why, in words that were or could be sent to the author."""
    action: str
    """What happened then: `asked again`, `escalated to …`, `gave up`, `test kept`, `test amended`, …."""


class Hint(TypedDict):
    """A lesson of an earlier run, as this one is told of it."""

    key: str
    """Key of the lesson."""
    text: str
    """Its words, harmless and bounded."""


class Dispute(TypedDict):
    """The debugger's claim that tests are wrong, and what the architect made of it."""

    id: str
    """Unique within the run."""
    tests: list[str]
    """The disputed tests."""
    reason: str
    """The debugger's words: what the specification says and what the test expects."""
    evidence: list[str]
    """What was measured: independent candidates that agree with each other against an assertion."""
    decision: Literal["open", "kept", "amended", "refused"]
    """`open`: not yet answered. `refused`: the architect's amendment did not pass the gate."""
    answer: str
    """The architect's reason."""
    difference: str
    """The change of the suite as a unified diff; empty when it was kept."""


class Suspected(TypedDict):
    """A kind of suspicion that an author was told of."""

    id: str
    """Unique for role and kind, so that each is named once."""
    role: Role
    """Who was told."""
    kind: str
    """The kind, as in `src.gates.suspicions`."""


class Observation(TypedDict):
    """How one tested candidate failed: what the evidence about a disputed test is drawn from."""

    candidate: str
    """Fingerprint of the candidate; candidates that differ in layout and comments alone share it."""
    iteration: int
    """Which pass of the debugger it came from."""
    failures: dict[str, str]
    """What was observed in each failing test, by name, bounded."""
    developers: NotRequired[list[int]]
    """Who of several developers wrote it; none of them saw what another wrote."""


class Failure(TypedDict):
    """A candidate that the suite failed. What was measured in full is kept of the latest and the best one only."""

    id: str
    """Unique for iteration and suite."""
    iteration: int
    """Which pass of the debugger it came from; 0 is the developer's."""
    suite: str
    """Digest of the suite that failed it."""
    candidate: str
    """Fingerprint of the candidate, see `src.gates.fingerprint`."""
    signature: str
    """The failure, see `src.failures.signature`."""
    mended: list[str]
    """Tests that pass now and did not in the best candidate before it."""
    broke: list[str]
    """Tests that passed in the best candidate before it and do not now."""
    flaky: list[str]
    """Tests that ended otherwise when they were run again at once in another order."""


class Best(TypedDict):
    """The best candidate so far: most tests passed, the earliest wins a tie."""

    code: str
    """The module."""
    test_results: dict[str, Any]
    """Its `TestReport` as plain data."""
    iteration: int
    """Which pass of the debugger it came from; 0 is the developer's."""


def merge_by_id(old: list[Any], new: Iterable[Any]) -> list[Any]:
    """Reducer: append entries whose `id` is not there yet.

    A subgraph hands back the whole list that it was given; appending blindly would count those entries twice.
    """
    merged = {entry["id"]: entry for entry in old}
    for entry in new:
        merged.setdefault(entry["id"], entry)
    return list(merged.values())


def furthest(old: Status, new: Status) -> Status:
    """Reducer: the later word counts. Of several developers one that gave up does not undo what another has written,
    and none undoes that a person ended the run.
    """
    return old if old == "aborted" or (old, new) == ("code_generated", "gave_up") else new


def highest(old: dict[Role, int], new: dict[Role, int]) -> dict[Role, int]:
    """Reducer: the highest rung that anybody of a role has climbed to."""
    return {**old, **{role: max(rung, old.get(role, 0)) for role, rung in new.items()}}


class TeamState(TypedDict, total=False):
    """State of one run."""

    schema_version: int
    """Version of this layout; a checkpoint of another version is not resumed."""
    user_request: str
    """What the engineer asked for, word for word; a person's answers are added to it."""
    original_request: str
    """The request before anything was added; absent when nothing was."""
    lessons: list[Hint]
    """What the architect and the developer are told of earlier runs; read once, so that a resumed run sees the same."""
    assume: Assume
    """What becomes of tests that rest on assumptions."""
    second_reading: bool
    """Whether the request is read a second time."""
    module_name: str
    """Import name of the module to write."""
    specs: str
    """The specification, in Markdown."""
    tests: str
    """Source of the pytest suite."""
    code: str
    """Source of the latest candidate."""
    test_results: dict[str, Any]
    """The latest `TestReport` as plain data."""
    best: Best
    """The best candidate that was tested; see `measured_best`."""
    iteration: int
    """Passes of the debugger so far."""
    max_iterations: int
    """Passes of the debugger at most."""
    max_failure_chars: int
    """How many characters the debugger is told of a failure at most."""
    debug_history: list[str]
    """One diagnosis for each pass of the debugger."""
    rungs: Annotated[dict[Role, int], highest]
    """How far each role has climbed its ladder of tiers; 0, or absent, is its first model."""
    developers: int
    """How many developers write a module each, at once; absent in runs of before there could be several: one."""
    candidates: Annotated[list[Candidate], latest_by_id]
    """What several developers came to; empty when there is one."""
    review_summary: str
    """What the reviewer says; never the verdict."""
    status: Annotated[Status, furthest]
    """Where the run stands."""
    rejections: Annotated[list[Rejection], merge_by_id]
    """Every refusal by a gate."""
    audit: Annotated[list[AuditEntry], merge_by_id]
    """The audit trail: every rejection, correction, escalation, dispute and decision, in order."""
    failures: Annotated[list[Failure], merge_by_id]
    """Every candidate that a suite failed, in order."""
    suspicions: Annotated[list[Suspected], merge_by_id]
    """Kinds of suspicion that an author was told of."""
    packages: list[str] | None
    """Import names of what generated code may use besides the standard library; `None`: some, their names unknown."""
    assumptions: list[Assumption]
    """What the request leaves open and the suite assumed."""
    reading: Reading
    """The second reading of the latest suite."""
    open_questions: list[OpenQuestion]
    """Contested assumptions that are still to be asked of a person."""
    answers: dict[str, str]
    """What a person answered, by the question."""
    rounds: int
    """How often the architect was asked again with a person's answers."""
    disputes: list[Dispute]
    """Claims that a test is wrong, in order."""
    max_disputes: int
    """Claims of that kind at most."""
    observations: list[Observation]
    """How the tested candidates failed, in order."""
    approve: list[str]
    """Where a person decides; see `src.policy.Point`."""
    approve_when: list[str]
    """Conditions of which one must hold for that; see `src.policy`."""


SCHEMA_VERSION = 3

MAX_ROUNDS = 2
"""How often the architect is asked again with a person's answers."""
MAX_ASKED = 8
"""Questions about assumptions that a person is asked in a run."""


def measured_best(state: TeamState) -> Best | None:
    """The best candidate on the present suite.

    `None` when none was tested, and from an amendment of the suite to the next test run: what was measured on another
    suite is not comparable.
    """
    return None if state.get("status") == "tests_amended" else state.get("best")
