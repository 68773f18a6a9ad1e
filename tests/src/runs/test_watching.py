"""What each node did is told as it happens, those inside boxes too."""

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from src.runs.watching import NodeDone, NodeWatcher


class _State(TypedDict, total=False):
    text: str


def _outer(inner_node: Any) -> Any:
    box = StateGraph(_State)
    box.add_node("write", inner_node)
    box.add_edge(START, "write")
    box.add_edge("write", END)
    graph = StateGraph(_State)
    graph.add_node("box", box.compile())
    graph.add_node("after", lambda state: {"text": state["text"] + "!"})
    graph.add_edge(START, "box")
    graph.add_edge("box", "after")
    graph.add_edge("after", END)
    return graph.compile()


def test_a_node_is_told_with_its_boxes_what_it_was_given_and_what_it_changed() -> None:
    told: list[NodeDone] = []
    _outer(lambda state: {"text": state["text"] + " b"}).invoke(
        {"text": "a"}, {"callbacks": [NodeWatcher(told.append)]}
    )
    assert [(done.path, done.node) for done in told] == [(("box",), "write"), ((), "box"), ((), "after")]
    assert (told[0].given["text"], told[0].update["text"]) == ("a", "a b")
    assert told[-1].update["text"] == "a b!"


def test_a_node_that_waits_for_a_person_is_not_told() -> None:
    told: list[NodeDone] = []
    _outer(lambda _state: {"text": interrupt("Shall it go on?")}).invoke(
        {"text": "a"}, {"callbacks": [NodeWatcher(told.append)]}
    )
    assert told == []
