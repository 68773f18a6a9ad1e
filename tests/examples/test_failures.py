"""The failures that the examples prevent (examples/README.md): each is shown once, and looked for in every graph."""

import ast
import operator
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt

from examples.first_agent.loop import QUESTION, build_loop
from examples.first_agent.shown import SCRIPT
from src.models.scripted import ScriptedChat, load_script
from tests.examples.graphs import GRAPHS
from tests.examples.structure import faults_of, returned_again

ROOT = Path(__file__).parent.parent.parent
CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Talk(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


class Heap(TypedDict):
    messages: Annotated[list[AnyMessage], operator.add]


def graph_of(state: type[Any], node: Any, *more: tuple[str, str], router: Any = None) -> Any:
    """START → work, and from there as is told."""
    graph: StateGraph[Any, Any, Any, Any] = StateGraph(state)
    graph.add_node("work", node)
    graph.add_node("rest", lambda _state: {})
    for source, target in ((START, "work"), *more):
        graph.add_edge(source, target)
    if router:
        graph.add_conditional_edges("work", router[0], router[1])
    return graph.compile(checkpointer=InMemorySaver(), name="naive")


def nothing(_state: Any) -> dict[str, Any]:
    return {}


@pytest.mark.parametrize("name", GRAPHS)
def test_no_graph_of_the_house_has_one_of_these_faults(name: str) -> None:
    assert faults_of(GRAPHS[name]()) == []


def test_messages_that_are_appended_blindly_are_found() -> None:
    naive = graph_of(Heap, nothing, ("work", "rest"), ("rest", END))
    assert faults_of(naive) == ["naive: messages is added to without a look at what is there already"]
    naive.invoke({"messages": [HumanMessage("2 x 3?", id="1")]}, CONFIG)
    naive.update_state(CONFIG, {"messages": [HumanMessage("5 x 5?", id="1")]})
    assert len(naive.get_state(CONFIG).values["messages"]) == 2, "a correction stands beside what it corrects"


def test_a_node_that_returns_the_whole_state_is_found() -> None:
    def whole(state: Talk) -> Talk:
        return {"messages": [*state["messages"], AIMessage("hello")]}

    begun = {"messages": [HumanMessage("hi"), AIMessage("said before", id="1")]}
    naive = graph_of(Talk, whole, ("work", "rest"), ("rest", END))
    assert returned_again(naive, begun, CONFIG) == ["work returns 1 messages again"]
    chat = ScriptedChat(who="agent", replies=load_script(SCRIPT))
    assert returned_again(build_loop(chat), {"messages": [HumanMessage(QUESTION)]}) == []


def test_a_way_without_an_end_is_found() -> None:
    naive = graph_of(Talk, nothing, ("work", "rest"), ("rest", "work"))
    assert [fault.rpartition(" leads from ")[2] for fault in faults_of(naive)] == [
        "__start__ to END",
        "rest to END",
        "work to END",
    ]


def test_a_node_that_no_way_leads_to_is_found() -> None:
    assert faults_of(graph_of(Talk, nothing, ("work", END), ("rest", END))) == ["naive: no way leads to rest"]


def test_a_label_that_matches_no_edge_is_found() -> None:
    def router(_state: Talk) -> Literal["on", "back"]:
        return "back"

    naive = graph_of(Talk, nothing, ("rest", END), router=(router, {"on": "rest"}))
    (fault,) = faults_of(naive)
    assert fault.endswith("may say back after work, where no edge is called so")
    with pytest.raises(KeyError, match="back"):
        naive.invoke({"messages": []}, CONFIG)


def test_a_router_that_does_not_say_where_it_leads_is_found(caplog: pytest.LogCaptureFixture) -> None:
    def router(_state: Talk) -> str:
        return "rset"

    naive = graph_of(Talk, nothing, ("rest", END), router=(router, None))
    assert any("nobody can read where" in fault for fault in faults_of(naive))
    naive.invoke({"messages": []}, CONFIG)
    assert "ignoring it" in caplog.text, "LangGraph ends such a run as if it were done"


def test_what_stands_before_an_interrupt_is_done_again_with_the_answer() -> None:
    sent = []

    def eager(_state: Talk) -> dict[str, Any]:
        sent.append("a mail")
        interrupt("May it be sent?")
        return {}

    naive = graph_of(Talk, eager, ("work", "rest"), ("rest", END))
    naive.invoke({"messages": []}, CONFIG)
    assert sent == ["a mail"], "it went out before anybody was asked"
    naive.invoke(Command(resume="no"), CONFIG)
    assert sent == ["a mail", "a mail"], "and once more when the answer was no"


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.py")), ids=lambda path: path.name)
def test_checkpoints_in_memory_stand_only_where_the_program_says_why(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    uses = [call.lineno for call in calls if ast.unparse(call.func).endswith("MemorySaver")]
    for line in uses:
        before = "\n".join(source.splitlines()[max(0, line - 5) : line])
        assert "# In memory:" in before, f"{path.name}:{line}"


def test_the_house_itself_keeps_no_checkpoint_in_memory() -> None:
    assert not [path for path in (ROOT / "src").rglob("*.py") if "MemorySaver" in path.read_text(encoding="utf-8")]
