"""What a run could cost at most, told before its first call: every counter at its cap, every reply at its longest."""

from collections.abc import Mapping
from dataclasses import dataclass

from src.context import RoleModel
from src.ledger import Embedder
from src.meaning import MAX_CHARACTERS, MAX_TEXTS
from src.reply import WorstCase
from src.state import Role

FRAME_TOKENS = 3_000
"""Tokens of a role's template and of a gate's reasons at most."""


@dataclass(frozen=True)
class Caps:
    """The counters that bound a run."""

    corrections: int
    """How often an author is asked again."""
    iterations: int
    """Passes of the debugger."""
    disputes: int = 0
    """Disputes about tests."""
    developers: int = 1
    """Developers that write at once."""


@dataclass(frozen=True)
class Forecast:
    """The most that a run can take."""

    calls: int
    """Calls to models."""
    worst: WorstCase
    """What they could use together."""


def forecast(models: Mapping[Role, RoleModel], request: str, caps: Caps, embedder: Embedder | None = None) -> Forecast:
    """Sum up the longest run. Retries after transport faults are left out: few providers bill them.

    `embedder`: finds lessons, by one request.
    """
    longest = {role: model.worst_case([]).tokens for role, model in models.items()}
    base = FRAME_TOKENS + len(request.encode("utf-8", "replace"))
    material = base + longest.get("architect", 0) + max(longest.get("developer", 0), longest.get("debugger", 0))
    calls, tokens, cost, known = 0, 0, 0.0, True
    for role, model in models.items():
        times = _times(role, caps)
        read = base if role in ("architect", "reader") else material
        worst = model.worst_case([("human", " " * (read + longest[role]))])
        calls += times
        tokens += times * worst.tokens
        known = known and worst.cost is not None
        cost += times * (worst.cost or 0.0)
    if embedder is not None:
        worst = embedder.worst_case([" " * MAX_CHARACTERS] * MAX_TEXTS)
        calls, tokens, cost = calls + 1, tokens + worst.tokens, cost + (worst.cost or 0.0)
        known = known and worst.cost is not None
    return Forecast(calls, WorstCase(tokens, cost if known else None))


def _times(role: Role, caps: Caps) -> int:
    again = 1 + caps.corrections
    passes = {"debugger": caps.iterations, "architect": 1 + caps.disputes, "developer": caps.developers}
    return 1 if role == "reviewer" else again * passes.get(role, 1)
