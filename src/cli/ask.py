"""Putting to a person what a run asks: at once on a terminal, else by the command that answers later."""

import shlex
import sys
from collections.abc import Callable

from src.approvals import Answer, Approval, decided, ways
from src.cli.console import complain, open_console
from src.cli.decide import decide_on_terminal, how_to_decide
from src.cli.editor import edited
from src.cli.plan import TEAM, resume_line
from src.cli.view import View
from src.errors import ConfigurationError
from src.text import clean, one_line

Asker = Callable[[Approval], Answer | None]
"""Returns the answer, already checked; `None`: nobody is there."""


def nobody(_approval: Approval) -> Answer | None:
    """Asks nobody."""
    return None


def at_terminal() -> bool:
    """Whether somebody sits at a terminal who can be asked; the question goes to standard error."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def choose_asker(view: View, editor: str | None = None) -> Asker:
    """Ask whoever sits at the terminal; where none is, nobody. The question goes to standard error.

    `editor`: the command that starts a person's editor.
    """
    if not at_terminal():
        return nobody

    def ask(approval: Approval) -> Answer | None:
        view.pause()
        if approval.decisions:
            return decide_on_terminal(approval, lambda name, text: edited(name, text, editor))
        return ask_on_terminal(approval)

    return ask


def ask_on_terminal(approval: Approval) -> str | None:
    """Show the question and read lines until one is an answer; `None` at the end of the input."""
    console = open_console(error=True)
    console.print(one_line(approval.question, 2000), style="bold yellow", soft_wrap=True)
    for line in (approval.background, *ways(approval).splitlines()):
        if line:
            console.print(f"  {one_line(line, 500)}", soft_wrap=True)
    while True:
        console.print("Answer: ", end="")
        typed = sys.stdin.readline()
        if not typed:
            console.print()
            return None
        try:
            return decided(approval, typed)
        except ConfigurationError as error:
            complain(error.message, label="Again")


def how_to_answer(run_id: str, approval: Approval, program: str = TEAM) -> str:
    """What a person reads where the run cannot ask at once: the answers, and the command that gives one."""
    if approval.decisions:
        return how_to_decide(run_id, approval, program)
    example = shlex.quote(next(iter(approval.options), "…"))
    known = [clean(approval.background)] if approval.background else []
    return "\n".join(
        [*known, ways(approval), f"Answer, and go on, with: {resume_line(run_id, program)} --answer {example}"]
    )
