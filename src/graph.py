"""The team as a graph. This is the whole picture; what happens inside a box is in `nodes/`."""

from functools import lru_cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from src.context import TeamContext
from src.edges import (
    after_architect,
    after_assumptions,
    after_debugger,
    after_developer,
    after_dispute,
    after_person,
    after_test_runner,
)
from src.gated import build_gated
from src.gates.suite import MIN_TESTS
from src.nodes.architect import architect
from src.nodes.assumptions import ask_person, weigh_assumptions
from src.nodes.debugger import DEBUGGER
from src.nodes.developer import DEVELOPER
from src.nodes.dispute import DISPUTE
from src.nodes.reader import READER
from src.nodes.reviewer import review
from src.nodes.test_runner import run_tests
from src.state import TeamState

TeamGraph = CompiledStateGraph[TeamState, TeamContext, TeamState, TeamState]


def build_graph(
    *,
    max_corrections: int = 2,
    min_tests: int = MIN_TESTS,
    checkpointer: Checkpointer = None,
) -> TeamGraph:
    """The team.

    `max_corrections`: how often an author is asked again after a gate's refusal. `min_tests`: tests that a suite must
    have at least.
    """
    return _assembled(max_corrections, min_tests).copy({"checkpointer": checkpointer})


@lru_cache(maxsize=16)
def _assembled(max_corrections: int, min_tests: int) -> TeamGraph:
    """The picture, drawn once for each pair of numbers: it holds nothing of a run, and takes longer than most nodes."""
    graph: StateGraph[TeamState, TeamContext, TeamState, TeamState] = StateGraph(TeamState, context_schema=TeamContext)
    for author in (architect(min_tests), READER, DEVELOPER, DEBUGGER, DISPUTE):
        box: Any = build_gated(author, max_corrections=max_corrections, context=TeamContext)
        graph.add_node(author.name, box)
    graph.add_node("assumptions", weigh_assumptions)
    graph.add_node("person", ask_person)
    graph.add_node("test_runner", run_tests)
    graph.add_node("reviewer", review)

    graph.add_edge(START, "architect")
    graph.add_conditional_edges("architect", after_architect, ["reader", "assumptions", "developer", END])
    graph.add_edge("reader", "assumptions")
    graph.add_conditional_edges("assumptions", after_assumptions, ["person", "developer", END])
    graph.add_conditional_edges("person", after_person)
    graph.add_conditional_edges("developer", after_developer)
    graph.add_conditional_edges("test_runner", after_test_runner)
    graph.add_conditional_edges("debugger", after_debugger)
    graph.add_conditional_edges("dispute", after_dispute)
    graph.add_edge("reviewer", END)
    return graph.compile(name="team")
