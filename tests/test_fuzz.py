"""Hundreds of runs with models that answer anything: each ends by its own counters, and all that it spends is counted.

The graph is the team's, without a database: what is asked here is where a run ends, not what is kept of it. A run
differs from another by its seed alone.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Any, cast

import pytest

from sandbox import Job, SandboxError, TestReport
from sandbox.fake import FakeSandbox, failing_report, passing_report
from src.context import RoleModel, TeamContext
from src.errors import ExitCode, ProviderError, TeamError
from src.graph import TeamGraph, build_graph
from src.ledger import Budget, Ledger
from src.models.fallback import WithFallback
from src.models.tiers import Tier
from src.reply import Finish, Permit, Reply, Usage, WorstCase, permitted
from src.report import RunFacts, RunReport, build_report
from src.runs import longest
from src.runs.runs import RECURSION_MARGIN
from src.state import ROLES, SCHEMA_VERSION, Message, Role, TeamState
from tests.test_disputes import AMEND, DESIGN, DISPUTE, KEEP, module, names, patch, vetted

RUNS, CHUNKS = 1_000, 8
WORST = WorstCase(1000, 0.01, "told")
ENDS = {ExitCode.VERIFIED, ExitCode.UNVERIFIED, ExitCode.BUDGET, ExitCode.SANDBOX, ExitCode.PROVIDER}

MODULES = [f"def add(a, b):\n    return a {sign} b\n" for sign in ("+", "-", "*", "//", "%", "- 1 +", "| 1 |")]
EXITS = "import os\n\ndef add(a, b):\n    os._exit(0)\n"
FINISHES: tuple[Finish, ...] = (*(("complete",) * 20), "truncated", "blocked", "unknown")
NOISE = ["", "I cannot do that.", "```python\n", "### SPECIFICATIONS\n", "def add(a, b", "\x00\ud800", "```" * 50, "[]"]


def good(role: Role, chance: Random) -> str:
    """A reply that could be of use."""
    code = chance.choice([*MODULES, EXITS])
    choice: dict[Role, list[str]] = {
        "architect": [*[DESIGN] * 4, KEEP, AMEND],
        "developer": [module(code)],
        "debugger": [patch(code), patch(code), DISPUTE],
        "reviewer": ["It adds."],
        "reader": ["nothing to read"],
    }
    return chance.choice(choice[role])


@dataclass
class AnyModel:
    """Answers anything, and counts every request that reaches it."""

    role: Role
    chance: Random
    asked: list[Role] = field(default_factory=list)
    spent: list[Usage] = field(default_factory=list)

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:  # noqa: ARG002  # whatever is asked
        return WORST

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002
        self.asked.append(self.role)
        while self.chance.random() < 0.05:  # a transport fault, sent again
            permit(billed=self.chance.random() < 0.5)
            self.asked.append(self.role)
        if self.chance.random() < 0.02:
            error = ProviderError("The provider failed.")
            error.billed = self.chance.random() < 0.5
            raise error
        used = Usage(self.chance.randrange(600), self.chance.randrange(400), cost=self.chance.random() / 100)
        self.spent.append(used)
        text = good(self.role, self.chance)
        if self.chance.random() < 0.25:
            text = self.chance.choice([*NOISE, text[: len(text) // 2], text.upper()])
        finish = self.chance.choice(FINISHES)
        unknown = self.chance.random() < 0.1  # a provider that does not say what was used
        return Reply(text, finish, Usage() if unknown else used, "told", 0.0)


class Each:
    """Gives every developer a model of its own, so that the order in which threads run decides nothing."""

    def __init__(self, make: Callable[[Random], RoleModel], seed: int) -> None:
        self.alone = make(Random(seed))
        self.several = {which: make(Random(seed + which)) for which in range(1, 4)}

    def of(self, developer: int) -> RoleModel:
        return self.several[developer]

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        return self.alone.worst_case(messages)

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        return self.alone.ask(messages, permit)


def measured(job: Job) -> TestReport:
    """The same candidate always ends the same way; a few look alike, some are better than others."""
    if job.code == MODULES[0]:
        return _report(job, 0)
    return _report(job, 1 + zlib.crc32(job.code.encode()) % 3)


def _report(job: Job, failing: int) -> TestReport:
    tests = names(job.tests) or ["test_it"]
    red = tests[:failing]
    return failing_report(red, tests[failing:], "assert 3 == 4") if red else passing_report(tests)


@cache
def team_graph(max_corrections: int) -> TeamGraph:
    return build_graph(max_corrections=max_corrections, min_tests=1)


@dataclass
class Ended:
    """What a run came to."""

    code: int
    state: TeamState
    report: RunReport
    ledger: Ledger
    budget: Budget
    requests: int
    spent: list[Usage]
    corrections: int
    rungs: int
    whole: bool
    """Whether it ended by itself: then its trail is whole."""


def play(seed: int) -> Ended:
    """One run: caps, models and sandbox follow from the seed."""
    chance = Random(seed)
    asked: list[Role] = []
    spent: list[Usage] = []
    rungs, corrections = chance.choice([1, 1, 2, 3]), chance.randrange(4)

    def made(role: Role, own: Random) -> RoleModel:
        first = AnyModel(role, own, asked, spent)
        if own.random() < 0.7:
            return first
        tier = Tier(role, "openai", "m", None, None, 400)
        return WithFallback(first, AnyModel(role, own, asked, spent), tier, tier)

    def model(role: Role) -> RoleModel:
        return Each(partial(made, role), chance.randrange(10**9)) if role == "developer" else made(role, chance)

    def run(job: Job) -> TestReport:
        if chance.random() < 0.01:
            raise SandboxError("The daemon went away.")
        return measured(job)

    budget = Budget(chance.choice([*[None] * 6, 0.0, 0.05, 0.2]), chance.choice([*[None] * 6, 0, 5000, 15_000]))
    ledger = Ledger(budget)
    ladders = {role: [model(role) for _ in range(rungs - 1)] for role in ROLES}
    context = TeamContext(
        {role: model(role) for role in ROLES},
        FakeSandbox(run, series=vetted),
        run_id="r",
        ladders=ladders,
        ledger=ledger,
    )
    begun = TeamState(
        schema_version=SCHEMA_VERSION,
        user_request="Write add(a, b), which returns the sum.",
        module_name="solution",
        iteration=0,
        max_iterations=chance.randrange(6),
        max_failure_chars=3000,
        packages=[],
        max_disputes=chance.randrange(4),
        developers=chance.choice([*[1] * 8, 2, 3]),
        assume="list",
        second_reading=chance.random() < 0.3,
        approve=[],
        approve_when=[],
        debug_history=[],
        status="starting",
    )
    limit = longest(begun, corrections, rungs) + RECURSION_MARGIN
    state, stop = begun, None
    try:
        for values in team_graph(corrections).stream(
            begun, {"recursion_limit": limit}, context=context, stream_mode="values"
        ):
            state = cast(TeamState, values)
    except TeamError as error:
        stop = error.exit_code
    except SandboxError:
        stop = ExitCode.SANDBOX
    facts: Any = {"run_id": "r", "started_at": "2026-12-01T00:00:00Z", "seconds": 0.0, "tiers": {}, "backend": "fake"}
    report = build_report(state, RunFacts(**facts, calls=ledger.calls, exit_code=stop))
    return Ended(
        report.exit_code, state, report, ledger, budget, len(asked), spent, corrections, rungs, whole=stop is None
    )


def check(ended: Ended) -> None:
    """What holds of every run."""
    state, calls = ended.state, ended.ledger.calls
    assert ended.code in ENDS
    assert (ended.report.verdict == "VERIFIED") == bool(
        state.get("best") and state["best"]["test_results"]["status"] == "passed"
    )
    assert state.get("iteration", 0) <= state["max_iterations"]
    assert len(state.get("disputes", [])) <= state["max_disputes"]
    assert all(rung < ended.rungs for rung in state.get("rungs", {}).values())
    assert len(calls) == ended.requests, "every request is in the ledger, and nothing else"
    if ended.budget.tokens is not None:
        used = sum((one.input_tokens or 0) + (one.output_tokens or 0) for one in ended.spent)
        assert used <= ended.budget.tokens
    if ended.budget.dollars is not None:
        assert sum(one.cost or 0.0 for one in ended.spent) <= ended.budget.dollars + 1e-9
    trail = state.get("audit", [])
    for line in trail:
        if line["action"].startswith("asked again, correction "):
            assert int(line["action"].rpartition(" ")[2]) <= ended.corrections
    told = {(line["role"].partition(" ")[0], line["reason"]) for line in trail}
    assert len({line["id"] for line in trail}) == len(trail)
    if ended.whole:
        for refusal in state.get("rejections", []):
            assert (refusal["role"], "; ".join(refusal["reasons"])) in told, refusal


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_run_ends_as_it_is_told_and_counts_what_it_spends(chunk: int) -> None:
    for seed in range(chunk * RUNS // CHUNKS, (chunk + 1) * RUNS // CHUNKS):
        ended = play(seed)
        try:
            check(ended)
        except AssertionError as error:
            error.add_note(f"seed {seed}")
            raise


def test_the_runs_come_to_every_end() -> None:
    assert {play(seed).code for seed in range(60)} == ENDS
