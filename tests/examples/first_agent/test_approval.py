"""A tool that needs a person: it is called after the decision, never before, and only with what was approved."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from typer.testing import CliRunner

from examples.first_agent import approval
from examples.first_agent.shown import drive
from examples.first_agent.tools import weather
from src.approvals import Decision, pending
from src.errors import ConfigurationError, ExitCode
from src.models.scripted import ScriptedChat
from tests.chat_server import ChatServer, calling

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class Books:
    """The world that the tool acts on."""

    def __init__(self) -> None:
        self.booked: list[tuple[str, int, str]] = []

    def tool(self) -> BaseTool:
        @tool
        def book_table(restaurant: str, people: int, time: str) -> str:
            """Book a table."""
            self.booked.append((restaurant, people, time))
            return f"Booked: {restaurant}, {people} people, {time}."

        return book_table


@pytest.fixture
def books() -> Books:
    return Books()


@pytest.fixture
def paused(books: Books, scripted: ScriptedChat) -> Any:
    """The graph, waiting for a decision about four people at seven."""
    graph = approval.build_approval(scripted, [books.tool()], InMemorySaver())
    graph.invoke({"messages": [HumanMessage(approval.QUESTION)]}, CONFIG, durability="sync")
    return graph


def decide(graph: Any, verb: str, **more: Any) -> list[Any]:
    decision = Decision.model_validate({"decision": verb, **more})
    messages: list[Any] = graph.invoke(Command(resume=decision.model_dump()), CONFIG, durability="sync")["messages"]
    return messages


def test_nothing_is_done_before_the_decision(paused: Any, books: Books) -> None:
    question = pending(paused.get_state(CONFIG).interrupts[0].value)
    assert question.texts == {"restaurant": "Kolonihagen", "people": "4", "time": "19:00"}
    assert books.booked == []


def test_what_was_approved_is_done_once(paused: Any, books: Books) -> None:
    messages = decide(paused, "approve")
    assert books.booked == [("Kolonihagen", 4, "19:00")]
    assert messages[-1].content == "Done. Booked: Kolonihagen, 4 people, 19:00."


def test_an_edit_replaces_the_call_where_it_stands(paused: Any, books: Books) -> None:
    messages = decide(paused, "edit", texts={"people": "6"})
    assert books.booked == [("Kolonihagen", 6, "19:00")]
    calls = [message for message in messages if isinstance(message, AIMessage) and message.tool_calls]
    assert [call.tool_calls[0]["args"]["people"] for call in calls] == [6], "no second call beside the first"


def test_an_edit_that_the_tool_cannot_take_is_told_to_the_model(
    answering: Callable[..., ScriptedChat], books: Books
) -> None:
    call = ("book_table", {"restaurant": "Maaemo", "people": 2, "time": "18:00"})
    chat = answering({"cannot be made": "It was not a number.", "book": [call]})
    graph = approval.build_approval(chat, [books.tool()], InMemorySaver())
    graph.invoke({"messages": [HumanMessage("book")]}, CONFIG, durability="sync")
    assert decide(graph, "edit", texts={"people": "a few"})[-1].content == "It was not a number."
    assert books.booked == []


def test_a_rejection_goes_to_the_model_which_may_ask_again(paused: Any, books: Books) -> None:
    decide(paused, "reject", notes="at eight, please")
    assert books.booked == []
    question = pending(paused.get_state(CONFIG).interrupts[0].value)
    assert question.texts["time"] == "20:00"
    assert decide(paused, "reject", notes="never mind")[-1].content == "Then I have booked nothing."
    assert books.booked == []


def begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run called `supper` that waits, since nobody sits at a terminal."""
    monkeypatch.setattr(approval, "new_run_id", lambda _question: "supper")
    assert approval.talk(replay=True) == ExitCode.PAUSED


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (Decision(decision="reject"), "Notes are missing"),
        (Decision(decision="abort"), "not one of the decisions"),
        (Decision(decision="edit", texts={"people": "4"}), "changes nothing"),
        (Decision(decision="edit", texts={"tip": "9"}), "not what is decided"),
    ],
)
def test_a_malformed_decision_leaves_the_question_open(
    monkeypatch: pytest.MonkeyPatch, decision: Decision, told: str
) -> None:
    begin(monkeypatch)
    with pytest.raises(ConfigurationError, match=told):
        approval.talk(thread="supper", given=[decision], replay=True)
    assert approval.talk(thread="supper", given=[Decision(decision="approve")], replay=True) == 0


def test_several_calls_are_decided_one_by_one_and_harmless_ones_need_nobody(
    answering: Callable[..., ScriptedChat], books: Books
) -> None:
    two = [("book_table", {"restaurant": name, "people": 2, "time": "18:00"}) for name in ("Maaemo", "Kolonihagen")]
    chat = answering({"book": [*two, ("weather", {"city": "Oslo"})], "": "Done."})
    graph = approval.build_approval(chat, [books.tool(), weather], InMemorySaver())
    graph.invoke({"messages": [HumanMessage("book")]}, CONFIG, durability="sync")
    decide(graph, "reject", notes="not there")
    messages = decide(graph, "approve")
    assert books.booked == [("Kolonihagen", 2, "18:00")]
    assert [message.content for message in messages if message.type == "tool"] == [
        "The person decided against it: not there",
        "Booked: Kolonihagen, 2 people, 18:00.",
        "Oslo: 4 °C, rain",
    ]


def test_without_a_terminal_the_run_waits_on_disk_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(monkeypatch)
    told = capsys.readouterr().out
    assert "-m examples.first_agent.approval resume supper --decision approve" in told
    assert approval.talk(thread="supper", replay=True) == ExitCode.PAUSED, "asking again decides nothing"
    assert approval.talk(thread="supper", given=[Decision(decision="approve")], replay=True) == 0
    assert "Done. Booked: Kolonihagen, 4 people, 19:00." in capsys.readouterr().out

    assert approval.talk(thread="supper", replay=True) == 0, "at its end, nothing is asked a second time"
    with pytest.raises(ConfigurationError, match="does not wait"):
        approval.talk(thread="supper", given=[Decision(decision="approve")], replay=True)


def test_a_real_model_is_asked_where_there_is_one_and_told_what_it_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    call = calling("book_table", restaurant="Maaemo", people=2, time="18:00")
    with ChatServer({"assistant": [call, "It is booked."]}) as server:
        for name, value in server.environment(ASSISTANT_PRICE="1,2").items():
            monkeypatch.setenv(name, value)
        done = CliRunner().invoke(approval.app, ["--question", "Book a table."])
        assert done.exit_code == ExitCode.PAUSED
        assert "assistant (the OpenAI-compatible server) answers." in done.output
        (name,) = set(re.findall(r"resume (\S+)", done.output))
        done = CliRunner().invoke(approval.app, ["resume", name, "--decision", "edit", "--set", "people=3"])
        server.shutdown()
    assert done.exit_code == 0, done.output
    assert "It is booked." in done.output
    assert "1 call to the model, 100 tokens read, 50 written, $0.0002." in done.output
    sent = server.requests[1]["messages"]
    assert json.loads(sent[2]["tool_calls"][0]["function"]["arguments"])["people"] == 3
    assert sent[3]["content"] == "Booked: Maaemo, 3 people, 18:00."


def test_a_run_that_broke_off_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(monkeypatch)
    with monkeypatch.context() as broken:
        broken.setattr(approval, "acting", lambda _tools: lambda _state: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            approval.talk(thread="supper", given=[Decision(decision="approve")], replay=True)
    capsys.readouterr()
    assert approval.talk(thread="supper", replay=True) == 0, "the decision is kept, and asked for no second time"
    assert "Done. Booked: Kolonihagen, 4 people, 19:00." in capsys.readouterr().out


def test_a_decision_is_for_its_own_question_even_when_the_process_dies_after_it(
    answering: Callable[..., ScriptedChat], books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = [("book_table", {"restaurant": name, "people": 2, "time": "18:00"}) for name in ("Maaemo", "Kolonihagen")]
    graph = approval.build_approval(answering({"book": two, "": "Done."}), [books.tool()], InMemorySaver())
    begun = {"messages": [HumanMessage("book")]}
    assert drive(graph, begun, CONFIG, [], "a-program") == ExitCode.PAUSED
    asking = approval.question_about

    def dies(call: Any) -> Any:
        if call["args"]["restaurant"] == "Kolonihagen":
            raise SystemExit
        return asking(call)

    with monkeypatch.context() as broken:
        broken.setattr(approval, "question_about", dies)
        with pytest.raises(SystemExit):
            drive(graph, None, CONFIG, [Decision(decision="approve")], "a-program")
    question = pending(graph.get_state(CONFIG).interrupts[0].value)
    assert question.texts["restaurant"] == "Maaemo", "what was not carried out is asked once more"
    decisions = [Decision(decision="reject", notes="no"), Decision(decision="approve")]
    assert drive(graph, None, CONFIG, decisions, "a-program") == 0
    assert books.booked == [("Kolonihagen", 2, "18:00")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--notes", "x"], "belong to a decision"),
        (["--decision", "edit", "--set", "people"], "--set takes NAME=VALUE"),
        (["--decision", "perhaps"], "none of"),
    ],
)
def test_options_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch, options: list[str], told: str) -> None:
    begin(monkeypatch)
    done = CliRunner().invoke(approval.app, ["resume", "supper", *options])
    assert done.exit_code == ExitCode.USAGE
    assert told in done.output


def test_what_waits_is_encrypted_where_there_is_a_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RUNS_KEY", "a-long-enough-secret")
    begin(monkeypatch)
    assert not [path for path in tmp_path.glob("*.sqlite*") if path.is_file() and b"Kolonihagen" in path.read_bytes()]
    monkeypatch.delenv("RUNS_KEY")
    with pytest.raises(ConfigurationError, match="encrypted"):
        approval.talk(thread="supper", replay=True)
    monkeypatch.setenv("RUNS_KEY", "a-long-enough-secret")
    assert approval.talk(thread="supper", given=[Decision(decision="approve")], replay=True) == 0
    assert "Done." in capsys.readouterr().out


def test_nobody_decides_about_what_was_not_shown() -> None:
    with pytest.raises(ConfigurationError, match="no run 'new'"):
        approval.talk(thread="new", given=[Decision(decision="approve")], replay=True)
