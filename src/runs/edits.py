"""A run's state at a step, edited by a person: what the edit must pass, and which node comes next.

Whatever an edit makes obsolete is left out, so that no verdict speaks of a module or a suite that was not measured.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from src.audit import audit_entry
from src.candidates import MAX_DEVELOPERS, latest_code, untested
from src.errors import ConfigurationError
from src.gates.verdict import Verdict
from src.open_points import Reading
from src.runs.saved import Step
from src.state import AuditEntry, TeamState, merge_by_id
from src.text import count

if TYPE_CHECKING:
    from src.context import TeamContext

Changes = Mapping[str, str | int]
"""New values by the key of the state."""

NUMBERS = {
    "max_iterations": (0, 100),
    "max_failure_chars": (1_000, 200_000),
    "max_disputes": (0, 20),
    "developers": (1, MAX_DEVELOPERS),
}
"""Numbers that may be set, each with its least and its greatest value."""
TEXTS = ("user_request", "specs", "tests", "code")
"""Texts that may be set, in the order in which they are checked."""
MAX_TEXT = 262_144
"""Characters of an edited text at most."""
START = "__start__"
"""LangGraph's name for what comes before the first node."""


@dataclass(frozen=True)
class Branch:
    """Where a fork begins."""

    state: TeamState
    """What is known there."""
    done: str
    """The node that counts as done; its router chooses the next one."""


def check_keys(changes: Changes) -> None:
    """Raise `ConfigurationError` for a key that cannot be set, or a value that is of no use."""
    for key, value in changes.items():
        if key in NUMBERS:
            least, most = NUMBERS[key]
            if not isinstance(value, int) or not least <= value <= most:
                raise ConfigurationError(f"{key} cannot be {value!r}.", f"Give a number from {least} to {most}.")
        elif key not in TEXTS:
            raise ConfigurationError(
                f"There is nothing called {key[:80]!r} to set.", f"Choose one of: {', '.join([*TEXTS, *NUMBERS])}."
            )
        elif not isinstance(value, str) or not value.strip():
            raise ConfigurationError(f"{key} would be empty.")
        elif len(value) > MAX_TEXT:
            raise ConfigurationError(f"{key} is longer than {count(MAX_TEXT, 'character')}.")


def branch_of(step: Step, changes: Changes, context: "TeamContext", min_tests: int) -> Branch:
    """The state of a step with `changes`. An edited suite is vetted, which takes a container.

    Raises `ConfigurationError` for an edit that cannot be made there or that a gate refuses, and `SandboxError`.
    """
    check_keys(changes)
    done = START if step.done in ("start", START) else step.done
    branch = Branch(cast(TeamState, {**step.state, **changes, **_trail(step.state, changes)}), done)
    if "user_request" in changes and step.state.get("tests"):
        raise ConfigurationError(
            f"The request cannot be changed at step {step.number}: the suite was written for it.",
            "Fork at the first step, where the architect has not yet begun.",
        )
    if "tests" in changes:
        branch = _with_suite(step, branch, context, min_tests)
    if "code" in changes:
        branch = _with_code(step, branch)
    elif not step.next and branch.done == done:
        raise ConfigurationError(f"Step {step.number} is the end of the run.", "Choose an earlier step.")
    return branch


def _with_suite(step: Step, branch: Branch, context: "TeamContext", min_tests: int) -> Branch:
    """Written before the code, an edited suite is read a second time as any other; later it is measured at once."""
    from src.nodes.architect import check_tests
    from src.nodes.assumptions import weigh_assumptions
    from src.nodes.vetting import vetted

    if not step.state.get("tests"):
        raise _too_early(step, "suite")
    _refuse("tests", check_tests(branch.state["tests"], branch.state, min_tests))
    _refuse("tests", vetted(branch.state, context))
    state = _without(branch.state, "best", "test_results", "observations", "reading", "assumptions", "open_questions")
    if not latest_code(step.state):
        return Branch(cast(TeamState, {**state, "status": "specs_ready"}), "architect")
    waiting = untested(step.state.get("candidates", []))  # what was said of others is no longer true
    unread = {
        **state,
        "candidates": waiting,
        "reading": Reading(answers={}, labels={}, missing="the suite was edited by a person"),
    }
    weighed = cast(TeamState, {**unread, **weigh_assumptions(cast(TeamState, unread))})
    if weighed["status"] == "nothing_binds":
        raise ConfigurationError("No test of the edited suite binds the code: every one rests on an assumption.")
    trail = merge_by_id(state.get("audit", []), weighed.get("audit", []))
    return Branch(cast(TeamState, {**weighed, "audit": trail, "status": "code_generated"}), "developer")


def _with_code(step: Step, branch: Branch) -> Branch:
    from src.nodes.candidate import candidate_facts, judge_candidate

    if not latest_code(step.state) and "developer" not in step.next:
        raise _too_early(step, "module")
    facts = candidate_facts(branch.state)
    verdict, _ = judge_candidate("developer", branch.state, branch.state["code"], facts)
    _refuse("code", verdict)
    state = _without(branch.state, "best", "test_results", "candidates")
    return Branch(cast(TeamState, {**state, "status": "code_generated"}), "developer")


def _too_early(step: Step, what: str) -> ConfigurationError:
    return ConfigurationError(f"At step {step.number} there is no {what} to be written yet.", "Choose a later step.")


def _refuse(key: str, verdict: Verdict) -> None:
    if not verdict.passed:
        raise ConfigurationError(f"The edited {key} was refused:", "\n".join(f"- {one}" for one in verdict.reasons))


def _without(state: TeamState, *keys: str) -> TeamState:
    return cast(TeamState, {key: value for key, value in state.items() if key not in keys})


def _trail(state: TeamState, changes: Changes) -> dict[str, Any]:
    """Every edit is told in the audit trail."""
    earlier = state.get("audit", [])
    lines: list[AuditEntry] = []
    for key in changes:
        place = f"edit-{key}-{len(earlier)}"
        lines.append(audit_entry(place, role="person", gate="person", reasons=[f"{key} was set"], action="edited"))
    return {"audit": [*earlier, *lines]}
