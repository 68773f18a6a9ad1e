"""The reader: a request, read a second time by a model that has seen neither the specification nor what tests expect.

It is asked the assumptions as neutral questions, and labels the tests that the architect called `request` or
`property`. What follows from its answers is decided in `gates/reading.py`.
"""

from typing import Any

from langgraph.runtime import Runtime

from src.context import TeamContext
from src.errors import ProviderError
from src.gated import GatedAuthor, Judgement, Update
from src.gates.questions import labelled_tests, questions_of
from src.gates.quotes import is_quoted_from
from src.gates.verdict import Verdict
from src.nodes.author import AuthorOutput, AuthorState, judge, refused, writer
from src.open_points import ReadAnswer, Reading, ReadLabel
from src.parsing import ReaderReply, parse_reader
from src.prompts import conversation
from src.reply import Reply
from src.state import Message


class ReaderState(AuthorState, total=False):
    """State inside the reader's box."""

    unreachable: str
    """Why the model cannot be asked; empty when it answered."""


class ReaderOutput(AuthorOutput, total=False):
    """What the reader hands to the team."""

    reading: Reading
    """The second reading, or why there is none."""


def _conversation(state: AuthorState) -> list[Message]:
    asked = [] if state["assume"] == "drop" else questions_of(state["tests"], state["module_name"])
    return conversation(
        "reader",
        module_name=state["module_name"],
        user_request=state["user_request"],
        questions=[{"id": question.id, "text": question.text, "calls": question.calls} for question in asked],
        tests=[{"id": test.id, "source": test.source} for test in labelled_tests(state["tests"])],
    )


_ask = writer("reader", _conversation)


def _write(state: ReaderState, *, runtime: Runtime[TeamContext]) -> Update:
    """Ask; a provider that fails costs the second reading, not the run."""
    try:
        return {**_ask(state, runtime=runtime), "unreachable": ""}
    except ProviderError as error:
        reasons = state.get("reasons")
        line = [refused("reader", state, reasons, "no second reading")] if reasons else []
        return {"unreachable": error.message, "audit": line}


def _judge(state: ReaderState) -> Judgement:
    if state.get("unreachable"):
        return Judgement(Verdict(), {"reading": no_reading(state["unreachable"])})
    asked = [] if state["assume"] == "drop" else questions_of(state["tests"], state["module_name"])
    tests = {test.id: test.test for test in labelled_tests(state["tests"])}

    def check(reply: Reply) -> tuple[Verdict, Update]:
        parsed = parse_reader(reply, {question.id: list(question.calls) for question in asked}, list(tests))
        return _check_words(parsed, state["user_request"]), {"reading": _as_state(parsed, tests)}

    return judge("reader", state, check)


def _check_words(parsed: ReaderReply, request: str) -> Verdict:
    """What is called settled rests on words that stand in the request."""
    return Verdict(
        tuple(
            f"{name} is called settled, but its words ({answer.words or 'none'}) do not occur in the request: "
            f"quote the words that settle it, or answer `{name}: not settled | why`."
            for name, answer in parsed.answers.items()
            if answer.value and not is_quoted_from(answer.words, request)
        )
    )


def _as_state(parsed: ReaderReply, tests: dict[str, str]) -> Reading:
    answers = {name: ReadAnswer(value=given.value, words=given.words) for name, given in parsed.answers.items()}
    labels = {tests[name]: ReadLabel(kind=label.kind, words=label.words) for name, label in parsed.labels.items()}
    return Reading(answers=answers, labels=labels, missing="")


def no_reading(reason: str) -> Reading:
    """A second reading that did not come about."""
    return Reading(answers={}, labels={}, missing=reason)


def _give_up(state: Any) -> Update:
    entry = refused("reader", state, state["reasons"], "no second reading")
    return {"reading": no_reading(f"the reply could not be used: {state['reasons'][0]}"), "audit": [entry]}


READER = GatedAuthor("reader", ReaderState, ReaderOutput, _write, _judge, _give_up)
