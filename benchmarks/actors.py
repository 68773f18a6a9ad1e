"""Models that behave as told, so that what is measured is the team's way with them and nothing else."""

import re
from collections.abc import Callable, Mapping, Sequence

from src.prompts import fenced
from src.reply import Permit, Reply, WorstCase, permitted
from src.state import Message, Role

_FAILED = re.compile(r"^FAILED (\S+?):?(?=\s)", re.MULTILINE)
_ABOUT = re.compile(r"What the debugger says about (.+):")

Act = Callable[[str], str]
"""What was asked last → the answer."""


class Actor:
    """Answers by its part, one act for each time that it is asked; the last one again and again."""

    def __init__(self, *acts: Act) -> None:
        self._acts = acts
        self._asked = 0

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002  # one attempt is enough
        """Play the next act."""
        act = self._acts[min(self._asked, len(self._acts) - 1)]
        self._asked += 1
        return Reply(act(messages[1][1]), "complete", model="scripted")

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:  # noqa: ARG002  # no model is called
        """Nothing is paid for."""
        return WorstCase(0, 0.0)


def cast(**actors: Actor) -> Mapping[Role, Actor]:
    """Who plays which role; the reviewer always says the same."""
    roles: dict[Role, Actor] = {"reviewer": Actor(says("Measured, not judged."))}
    return roles | actors  # type: ignore[return-value]  # the keywords are roles


def says(text: str) -> Act:
    """Always the same."""
    return lambda _told: text


def design(request: str, suite: str) -> Act:
    """The request as specification, and a suite."""
    return says(f"### SPECIFICATIONS\n\n{request}\n\n### TESTS\n\n{fenced(suite, 'python')}\n")


def module(code: str) -> Act:
    """A module."""
    return says(fenced(code, "python"))


def patch(code: str, diagnosis: str = "The code is wrong.") -> Act:
    """The fault is in the code."""
    return says(f"### DIAGNOSIS\n\n{diagnosis}\n\n### FAULT\n\ncode\n\n### PATCHED_CODE\n\n{fenced(code, 'python')}\n")


def dispute(otherwise: Act) -> Act:
    """The fault is in the first failing test; where no test failed by itself there is none to dispute."""

    def act(told: str) -> str:
        failed = _FAILED.findall(told)
        if not failed:
            return otherwise(told)
        name = failed[0].partition("[")[0]
        reason = f"- `{name}`: the specification says another value; the test expects a wrong one"
        return f"### DIAGNOSIS\n\nThe test is wrong.\n\n### FAULT\n\ntests\n\n### DISPUTED_TESTS\n\n{reason}\n"

    return act


def decide(wrong: str, right_suite: str, request: str) -> Act:
    """Amend the one test that is wrong, from the right suite; keep every other one.

    Where a gate refused the wrong suite already, the right one comes as its correction.
    """

    def act(told: str) -> str:
        about = _ABOUT.search(told)
        if about is None:
            return design(request, right_suite)(told)
        if about[1].strip() != wrong:
            return KEEP
        return amendment(right_suite)

    return act


KEEP = "### DECISION\n\nkeep\n\n### REASON\n\nThe test demands what the request says.\n"


def amendment(suite: str) -> str:
    """Amend to what `suite` holds."""
    return f"### DECISION\n\namend\n\n### REASON\n\nThe value was wrong.\n\n### TESTS\n\n{fenced(suite, 'python')}\n"
