"""What can be read off a graph before it runs: ways that never end, labels that lead nowhere, lists that only grow."""

import operator
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.channels import BinaryOperatorAggregate
from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph

Graph = CompiledStateGraph[Any, Any, Any, Any]

SHARED_ROUTERS = {"src.gated._turn"}
"""Routers of several boxes, each of which knows only some of the labels: what a box has no node for, it never says."""


def faults_of(graph: Graph, name: str = "") -> list[str]:
    """All that is wrong with a graph and the boxes in it, each in a line."""
    own = name or graph.get_name()
    found = [f"{own}: {fault}" for fault in (*_dead_ends(graph), *_labels(graph), *_blind(graph))]
    for box, inner in graph.get_subgraphs():
        if isinstance(inner, CompiledStateGraph):
            found += faults_of(inner, f"{own}/{box}")
    return found


def ways(graph: Graph) -> dict[str, set[str]]:
    """Where each node may be left to. Taken from what was built: the drawing adds an END where there is none."""
    builder = graph.builder
    found: dict[str, set[str]] = {node: set(spec.ends or ()) for node, spec in builder.nodes.items()}
    for source, target in builder.edges:
        found.setdefault(source, set()).add(target)
    for sources, target in builder.waiting_edges:
        for source in sources:
            found[source].add(target)
    for source, routers in builder.branches.items():
        for router in routers.values():
            found.setdefault(source, set()).update((router.ends or {}).values())
    return found


def _dead_ends(graph: Graph) -> Iterator[str]:
    onward = ways(graph)
    ending = {END}
    while more := {node for node, targets in onward.items() if node not in ending and targets & ending}:
        ending |= more
    yield from (f"no way leads from {node} to END" for node in sorted(set(onward) - ending))
    reached, edge = {START}, {START}
    while edge := {target for node in edge for target in onward.get(node, ())} - reached:
        reached |= edge
    yield from (f"no way leads to {node}" for node in sorted(set(onward) - reached))


def _labels(graph: Graph) -> Iterator[str]:
    for node, routers in graph.builder.branches.items():
        for router in routers.values():
            function: Any = getattr(router.path, "func", None)
            called = f"{function.__module__}.{function.__qualname__}"
            told = set(_words(get_type_hints(function).get("return")))
            if router.ends is None:
                yield f"nobody can read where {called} leads from {node}"
                continue
            lost = told - set(router.ends) - {END}
            if lost and called not in SHARED_ROUTERS:
                yield f"{called} may say {', '.join(sorted(lost))} after {node}, where no edge is called so"


def _words(annotation: Any) -> Iterator[str]:
    """The labels in a router's return type, wherever in it they stand."""
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for part in get_args(annotation):
            yield from _words(part)


def _blind(graph: Graph) -> Iterator[str]:
    for key, channel in graph.channels.items():
        if not isinstance(channel, BinaryOperatorAggregate) or channel.operator is not operator.add:
            continue
        if isinstance(channel.value, list):
            yield f"{key} is added to without a look at what is there already"


def returned_again(graph: Graph, given: Any, config: Any = None) -> list[str]:
    """Nodes that returned messages which were in the state already, as one does that returns the whole of it."""
    found: list[str] = []
    before: set[str | None] = set()
    step: Any
    for kind, step in graph.stream(given, config, stream_mode=["values", "updates"]):
        if kind == "values":
            before = {message.id for message in step.get("messages", ())}
            continue
        for node, update in step.items():
            said: list[AnyMessage] = (update or {}).get("messages", []) if isinstance(update, dict) else []
            again = [message for message in said if message.id in before and isinstance(message, AIMessage)]
            found += [f"{node} returns {len(again)} messages again"] if again else []
    return found
