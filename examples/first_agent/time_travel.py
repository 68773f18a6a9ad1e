"""Every step is a checkpoint: list them, run again from one, and fork one with another past ("my name is Alex").

python -m examples.first_agent.time_travel
"""

import typer
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from examples.first_agent.loop import build_loop
from examples.first_agent.shown import Replay, opened, say, show_steps, told
from src.cli.options import end_with

FIRST = "Hello, my name is Robin. How is the weather in Rome?"
OTHER = "Hello, my name is Alex. How is the weather in Rome?"


def talk(first: str = FIRST, other: str = OTHER, replay: bool = False) -> int:
    """Run once, go back to a step, and from there to another end."""
    assistants = opened(replay)
    # In memory: this process shows it all and keeps nothing. `selfheal history` does the same with runs on disk.
    graph = build_loop(assistants.chat("agent"), checkpointer=InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "travel"}}
    show_steps(graph.stream({"messages": [HumanMessage(first)]}, config, stream_mode="updates", durability="sync"))

    say("\nEvery checkpoint, the newest first:")
    history = list(graph.get_state_history(config))
    for number, saved in enumerate(history):
        messages = saved.values.get("messages", [])
        said = told(messages[-1]) if messages else "(nothing said yet)"
        say(f"  {-number:>2}  next: {', '.join(saved.next) or 'end':<9}  {said}")

    say("\nOnce more from before the last answer; what came earlier is not paid for again:")
    before_answer = next(saved for saved in history if saved.next == ("model",))
    show_steps(graph.stream(None, before_answer.config, stream_mode="updates", durability="sync"))

    say("\nA fork: the first message says something else, the rest follows from it:")
    begun = next(saved for saved in reversed(history) if saved.next == ("model",))
    question = begun.values["messages"][0]
    forked = graph.update_state(begun.config, {"messages": [HumanMessage(other, id=question.id)]})
    show_steps(graph.stream(None, forked, stream_mode="updates", durability="sync"))

    say(f"\nNothing is lost: {len(history)} checkpoints before, {len(list(graph.get_state_history(config)))} now.")
    say(assistants.spent())
    return 0


def main(first: str = FIRST, other: str = OTHER, replay: Replay = False) -> None:
    """List checkpoints, replay one, fork one."""
    end_with(lambda: talk(first, other, replay))


if __name__ == "__main__":
    typer.run(main)
