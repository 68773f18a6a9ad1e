"""`selfheal diff RUN_A RUN_B`: what two runs came to, side by side, and how their suites and modules differ."""

import difflib
import json as notation
from collections.abc import Iterator
from typing import Any

from src.cli.console import open_console, write_out
from src.cli.stored import address_of, runs_of
from src.cli.table import print_table
from src.cli.words import dollars, tokens
from src.config import load_settings
from src.runs import SavedRun
from src.state import TeamState, measured_best
from src.text import clean, one_line
from src.usage import totals

FACTS = ("origin", "outcome", "tests", "iterations", "calls", "tokens", "cost", "seconds", "models")
"""What is compared, in this order."""


def diff_command(run_a: str, run_b: str, *, json: bool) -> int:
    """Show the difference and return the exit code, 0: two runs may well differ."""
    settings = load_settings()
    address_of(settings).check()
    runs = runs_of(settings)
    a, b = runs.saved(run_a), runs.saved(run_b)
    if json:
        told = {"a": facts_of(a), "b": facts_of(b), "tests": changed(a, b, "tests"), "code": changed(a, b, "code")}
        write_out(notation.dumps(told, indent=2) + "\n")
        return 0
    console = open_console()
    left, right = facts_of(a), facts_of(b)
    rows = [[name, _cell(name, left[name]), _cell(name, right[name])] for name in FACTS]
    print_table(console, ["", a.run_id, b.run_id], rows)
    for part, name in (("tests", "suite"), ("code", "module")):
        lines = changed(a, b, part).splitlines()
        console.print(f"\n{name}: {'the same' if not lines else ''}".rstrip())
        for line in lines:
            console.print(clean(line), style=_style(line), soft_wrap=True)
    return 0


def facts_of(saved: SavedRun) -> dict[str, Any]:
    """What a run came to; `seconds` are those of waiting for models, which is what differs between models."""
    best = measured_best(saved.state)
    counts = best["test_results"]["counts"] if best else {}
    total = totals(saved.calls).total
    used = None if total.input_tokens is None else total.input_tokens + (total.output_tokens or 0)
    return {
        "run": saved.run_id,
        "origin": saved.origin,
        "outcome": outcome(saved),
        "tests": {"passed": counts["passed"], "collected": counts["collected"]} if best else None,
        "iterations": saved.state.get("iteration", 0),
        "calls": total.calls,
        "tokens": used,
        "cost": total.cost,
        "seconds": total.seconds,
        "models": sorted({call["model"] for call in saved.calls}),
    }


def outcome(saved: SavedRun) -> str:
    """VERIFIED or UNVERIFIED; of a run that goes on, that it does."""
    if not saved.finished:
        return "not finished"
    best = measured_best(saved.state)
    return "VERIFIED" if best and best["test_results"]["status"] == "passed" else "UNVERIFIED"


def changed(a: SavedRun, b: SavedRun, part: str) -> str:
    """The unified difference of a text of both runs; empty when it is the same."""
    return "\n".join(_lines(text_of(a.state, part), text_of(b.state, part), a.run_id, b.run_id))


def text_of(state: TeamState, part: str) -> str:
    """The suite, or the module that is delivered."""
    best = measured_best(state)
    return state.get("tests", "") if part == "tests" else best["code"] if best else state.get("code", "")


def _lines(old: str, new: str, name_a: str, name_b: str) -> Iterator[str]:
    yield from difflib.unified_diff(old.splitlines(), new.splitlines(), name_a, name_b, lineterm="", n=3)


def _cell(name: str, value: Any) -> str:
    match name:
        case "tokens":
            return tokens(value)
        case "cost":
            return dollars(value)
        case "seconds":
            return f"{value:.1f} of waiting for models"
        case "tests":
            return f"{value['passed']} of {value['collected']} passed" if value else "-"
        case "models":
            return one_line(", ".join(value))
        case _:
            return str(value) or "-"


def _style(line: str) -> str:
    return "green" if line.startswith("+") else "red" if line.startswith("-") else "dim"
