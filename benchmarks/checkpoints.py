"""What a step of a run costs on disk: ours against LangGraph's SQLite checkpointer as it comes.

    python -m benchmarks.checkpoints [--json]

A healing run is imitated for the checkpointer: a module and a suite of 20 kB each; every second step changes
forty lines of the module, as a patch does, and the others add a diagnosis and a report to the state.
"""

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

from src.runs import Address

STEPS = 20
SIZE = 20_000
CHANGED_LINES = 40


class State(TypedDict, total=False):
    """What is saved of the imitated run."""

    code: str
    """The module."""
    tests: str
    """The suite."""
    best: dict[str, Any]
    """The best candidate: the same text once more."""
    debug_history: list[str]
    """Diagnoses."""
    iteration: int
    """Steps so far."""


def source(chance: random.Random) -> list[str]:
    """Lines that look like code and cannot be compressed to nothing."""
    lines: list[str] = []
    while sum(map(len, lines)) + len(lines) < SIZE:
        words = [f"{chance.choice('abcdefgh')}{chance.randrange(10_000)}" for _ in range(4)]
        lines.append(f"    {words[0]} = {words[1]}({words[2]}, key={words[3]!r})")
    return lines


def run(saver: BaseCheckpointSaver[Any]) -> None:
    """Make the steps of one run."""
    chance = random.Random(1)
    code, tests = source(chance), "\n".join(source(chance))

    def step(state: State) -> State:
        number = state["iteration"]
        if number % 2 == 0:
            for _ in range(CHANGED_LINES):
                code[chance.randrange(len(code))] = f"    patched = {chance.randrange(10**9)}"
            return {"code": "\n".join(code), "iteration": number + 1}
        text = f"Iteration {number}: the value {chance.randrange(10**9)} was read too early."
        best = {"code": state["code"], "test_results": {"status": "failed", "number": number}}
        return {"best": best, "debug_history": [*state["debug_history"], text], "iteration": number + 1}

    graph = StateGraph(State)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", lambda state: END if state["iteration"] >= STEPS else "step", [END, "step"])
    begun = State(code="\n".join(code), tests=tests, debug_history=[], iteration=0)
    graph.compile(checkpointer=saver).invoke(
        begun, {"configurable": {"thread_id": "r"}, "recursion_limit": STEPS + 5}, durability="sync"
    )


def bytes_per_step() -> dict[str, float]:
    """Bytes that each step adds to the file, with ours and with the naive way."""
    with tempfile.TemporaryDirectory() as folder:
        ours, naive = Path(folder) / "ours.sqlite", Path(folder) / "naive.sqlite"
        with Address(ours).open() as database:
            run(database.checkpointer)
        with SqliteSaver.from_conn_string(str(naive)) as saver:
            run(saver)
        return {"ours": ours.stat().st_size / STEPS, "naive": naive.stat().st_size / STEPS}


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description="Bytes that a step of a run costs on disk.")
    parser.add_argument("--json", action="store_true")
    measured = bytes_per_step()
    if parser.parse_args().json:
        print(json.dumps(measured))  # noqa: T201  # its output
        return
    for name, size in measured.items():
        print(f"{name}: {size / 1000:.1f} kB a step")  # noqa: T201  # its output


if __name__ == "__main__":
    main()
