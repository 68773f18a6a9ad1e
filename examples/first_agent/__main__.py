"""Plays all five programs, one after the other, with decisions in place of a person.

python -m examples.first_agent
"""

from collections.abc import Callable

import typer

from examples.first_agent import approval, correct, feedback, loop, time_travel
from examples.first_agent.shown import say
from src.approvals import Decision
from src.cli.options import end_with


def play() -> int:
    """All five."""
    reject = Decision(decision="reject", notes="at eight, please")
    edit = Decision(decision="edit", texts={"people": "6"})
    warmer = Decision(decision="reject", notes="warmer, please")
    programs: dict[str, Callable[[], object]] = {
        "loop": lambda: loop.talk(replay=True),
        "approval": lambda: approval.talk(given=[reject, edit], replay=True),
        "correct": lambda: correct.talk(replay=True),
        "feedback": lambda: feedback.talk(given=[warmer, Decision(decision="approve")], replay=True),
        "time_travel": lambda: time_travel.talk(replay=True),
    }
    for name, program in programs.items():
        say(f"\n=== python -m examples.first_agent.{name}")
        program()
    return 0


def main() -> None:
    """Play the five programs of this example, scripted; each can be run by itself."""
    end_with(play)


if __name__ == "__main__":
    typer.run(main)
