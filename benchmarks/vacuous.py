"""Suites that prove nothing, planted in right ones, and right ones as they are: how many does the suite gate refuse?

A right suite is made vacuous in eight ways, each of which leaves it looking like a suite; then it goes through the gate
as an architect's would, without its labels: the static rules first, then the fakes in a real container.
"""

import ast
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmarks.tasks import DATA
from sandbox import Sandbox
from src.context import TeamContext
from src.gates.suite import SuiteFacts, check_suite
from src.nodes.vetting import vetted
from src.state import TeamState

GOOD = ("humaneval", "exercism")
PLANTED_IN = 20
"""Suites of each source that are made vacuous, each in every way."""

Statement = ast.stmt


@dataclass
class Outcome:
    """What the gate made of the suites."""

    planted: dict[str, int] = field(default_factory=dict)
    """Vacuous suites, by the way in which they were made so."""
    caught: dict[str, int] = field(default_factory=dict)
    """Those of them that were refused."""
    by_fakes: int = 0
    """Those that only the fakes showed to be vacuous."""
    missed: list[str] = field(default_factory=list)
    """Vacuous suites that went through."""
    good: int = 0
    """Right suites."""
    refused: dict[str, str] = field(default_factory=dict)
    """Right suites that were refused, and the first reason."""

    @property
    def summary(self) -> dict[str, int]:
        """The figures by their names in the JSON object."""
        return {
            "vacuous_planted": sum(self.planted.values()),
            "vacuous_caught": sum(self.caught.values()),
            "good_suites": self.good,
            "good_refused": len(self.refused),
        }


def measure(sandbox: Sandbox, progress: Callable[[str], None], most: int | None = None) -> Outcome:
    """Send every suite through the gate. `most`: suites of each source at most. Raises `FileNotFoundError`."""
    outcome = Outcome()
    for source in GOOD:
        suites = list(_suites(source))[:most]
        for name, suite in suites:
            outcome.good += 1
            if reason := _refused(suite, sandbox)[0]:
                outcome.refused[name] = reason
        progress(f"{source}: {len(suites)} right suites")
        _plant(suites[:PLANTED_IN], sandbox, outcome)
        progress(f"{source}: vacuous suites planted")
    return outcome


def table(outcome: Outcome) -> str:
    """The figures for people."""
    lines = [f"{'vacuous suites':<32} {'planted':>8} {'caught':>8}"]
    lines += [f"{way:<32} {count:>8} {outcome.caught.get(way, 0):>8}" for way, count in outcome.planted.items()]
    lines += [f"  by the fakes alone: {outcome.by_fakes}", *(f"  missed: {name}" for name in outcome.missed), ""]
    lines += [f"right suites: {outcome.good}, refused: {len(outcome.refused)}"]
    lines += [f"  {name}: {reason}" for name, reason in outcome.refused.items()]
    return "\n".join(lines) + "\n"


def _suites(source: str) -> Iterator[tuple[str, str]]:
    for line in (DATA / f"{source}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["task_id"], row["hidden_tests"]


def _plant(suites: list[tuple[str, str]], sandbox: Sandbox, outcome: Outcome) -> None:
    for way, change in WAYS.items():
        for name, suite in suites:
            vacuous = _vacuous(suite, change)
            if vacuous is None:
                continue
            reason, by_fakes = _refused(vacuous, sandbox)
            outcome.planted[way] = outcome.planted.get(way, 0) + 1
            outcome.caught[way] = outcome.caught.get(way, 0) + bool(reason)
            outcome.by_fakes += bool(reason) and by_fakes
            if not reason:
                outcome.missed.append(f"{name}, {way}")


def _refused(suite: str, sandbox: Sandbox) -> tuple[str, bool]:
    """Why a suite is refused (empty: it is not), and whether that took the fakes."""
    static = check_suite(suite, SuiteFacts("solution", min_tests=1))
    if not static.passed:
        return static.reasons[0], False
    state = TeamState(tests=suite, module_name="solution")
    found = vetted(state, TeamContext({}, sandbox))
    return (found.reasons[0] if found.reasons else ""), True


def _vacuous(suite: str, change: Callable[[ast.Assert], list[Statement]]) -> str | None:
    """The suite with every assertion changed; `None` when it has none that can be, or others besides."""
    changed = _Changed(change)
    tree = ast.fix_missing_locations(changed.visit(ast.parse(suite)))
    vacuous = ast.unparse(tree) + "\n"
    others = ("raises", "self.assert", "assert_called", "skip")
    return None if not changed.count or any(word in vacuous for word in others) else vacuous


class _Changed(ast.NodeTransformer):
    def __init__(self, change: Callable[[ast.Assert], list[Statement]]) -> None:
        self._change = change
        self.count = 0

    def visit_Assert(self, node: ast.Assert) -> list[Statement]:
        self.count += 1
        return self._change(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[Statement]:
        """The way of unittest is changed as well."""
        call = node.value
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "self.assertEqual" and len(call.args) >= 2:
            return self.visit_Assert(ast.Assert(ast.Compare(call.args[0], [ast.Eq()], [call.args[1]])))
        return node


def _left(node: ast.Assert) -> ast.expr:
    return node.test.left if isinstance(node.test, ast.Compare) else node.test


def _asserted(text: str, node: ast.Assert) -> list[Statement]:
    return ast.parse(text.format(left=ast.unparse(_left(node)), test=ast.unparse(node.test))).body


WAYS: dict[str, Callable[[ast.Assert], list[Statement]]] = {
    "a constant": lambda node: _asserted("{left}\nassert True", node),
    "the assertion dropped": lambda node: _asserted("{left}", node),
    "or True": lambda node: _asserted("assert {test} or True", node),
    "with itself": lambda node: _asserted("assert {left} == {left}", node),
    "with itself, by a name": lambda node: _asserted("found = {left}\nwanted = found\nassert wanted == found", node),
    "any object": lambda node: _asserted("assert isinstance({left}, object)", node),
    "swallowed": lambda node: _asserted("try:\n    assert {test}\nexcept Exception:\n    pass", node),
    "never reached": lambda node: _asserted("if False:\n    assert {test}", node),
}
"""Ways to take the meaning from an assertion."""
