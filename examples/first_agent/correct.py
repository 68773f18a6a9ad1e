"""A state that is corrected while the run is paused: "I meant 5 x 5".

python -m examples.first_agent.correct
"""

import typer
from langchain_core.messages import HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START

from examples.first_agent.loop import build_loop
from examples.first_agent.shown import Replay, opened, say, show_steps
from src.cli.options import end_with

QUESTION = "How much is 2 x 3?"
MEANT = "I meant 5 x 5. How much is that?"


def talk(question: str = QUESTION, meant: str = MEANT, replay: bool = False) -> int:
    """Ask, stop before the tools, put another question in the place of the first, and go on."""
    assistants = opened(replay)
    # In memory: the pause lasts no longer than this process. A run that waits for a person belongs on disk, as in
    # approval.py: what is in memory is lost with the process, and with every deployment.
    graph = build_loop(assistants.chat("agent"), checkpointer=InMemorySaver(), interrupt_before=["tools"])
    config: RunnableConfig = {"configurable": {"thread_id": "correct"}}
    say(f"you      {question}")
    show_steps(graph.stream({"messages": [HumanMessage(question)]}, config, stream_mode="updates", durability="sync"))

    paused = graph.get_state(config)
    if not paused.next:
        say("The model has answered without a tool: there is nothing left to correct.")
        return 0
    asked, call = paused.values["messages"]
    say(f"paused   before {paused.next[0]}; corrected: {meant}")
    # The id of the first question: the reducer puts the new text in its place. Without it both questions would stand
    # in the conversation. The call that nobody answered goes, and the run goes on as if just begun.
    correction = {"messages": [HumanMessage(meant, id=asked.id), RemoveMessage(call.id)]}
    graph.update_state(config, correction, as_node=START)

    while graph.get_state(config).next:  # it pauses before the tools once more; `None` lets it pass
        show_steps(graph.stream(None, config, stream_mode="updates", durability="sync"))
    say(f"kept     {len(graph.get_state(config).values['messages'])} messages, one question among them")
    say(assistants.spent())
    return 0


def main(question: str = QUESTION, meant: str = MEANT, replay: Replay = False) -> None:
    """A state that is corrected while the run is paused."""
    end_with(lambda: talk(question, meant, replay))


if __name__ == "__main__":
    typer.run(main)
