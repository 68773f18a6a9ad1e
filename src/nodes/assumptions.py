"""What the request leaves open: weighed by plain rules, and asked of a person where that is wanted. No model here."""

from collections.abc import Iterator
from typing import Any

from langgraph.types import interrupt

from src.approvals import Approval, decided
from src.audit import audit_entry
from src.gated import Update
from src.gates.provenance import Provenance
from src.gates.questions import Question, answered
from src.gates.reading import LEAVE_OPEN, Heard, SecondReading, Stance, Weighed, Weighing, weigh
from src.open_points import Assumption, OpenQuestion
from src.state import MAX_ASKED, MAX_ROUNDS, AuditEntry, TeamState

GATE = "second reading"


def weigh_assumptions(state: TeamState) -> Update:
    """Decide which assumptions bind the code, and leave the suite with what does."""
    answers = state.get("answers", {})
    left = MAX_ASKED - len(answers) if state.get("rounds", 0) < MAX_ROUNDS else 0
    stance = Stance(
        state["module_name"],
        drop=state["assume"] == "drop",
        may_ask=state["assume"] == "ask" and left > 0,
        answers=answers,
    )
    weighing = weigh(state["tests"], _reading(state), stance)
    open_questions = [_open_question(found) for found in weighing.assumptions if found.to_ask][:left]
    if open_questions:
        return {"open_questions": open_questions}
    return {
        "tests": weighing.tests,
        "assumptions": [_assumption(found, number) for number, found in enumerate(weighing.assumptions, start=1)],
        "open_questions": [],
        "status": "specs_ready" if weighing.binds else "nothing_binds",
        "audit": list(_trail(state, weighing)),
    }


def ask_person(state: TeamState) -> Update:
    """Ask the first open question and wait, for months if it must be. Nothing costly stands before the pause."""
    first, *later = state["open_questions"]
    approval = approval_of(first)
    answer = decided(approval, str(interrupt(approval.model_dump())))
    answers = {**state.get("answers", {}), first["question"]: answer}
    place = f"person-{len(answers)}"
    told = f"{first['question']} {answer}"
    entry = audit_entry(place, role="architect", gate="person", reasons=[told], action=_taken(answer))
    update: dict[str, Any] = {"answers": answers, "open_questions": later, "audit": [entry]}
    if answer != LEAVE_OPEN:
        update["user_request"] = f"{state['user_request']}\n\n{SETTLED} {told}"
        update["original_request"] = state.get("original_request", state["user_request"])
    if not later and _contradicts(state, answers):
        update |= {"rounds": state.get("rounds", 0) + 1, "status": "starting"}
    return update


SETTLED = "Settled by the person who asked:"
"""How a person's answer begins in the request."""


def approval_of(asked: OpenQuestion) -> Approval:
    """An open question as it is put to a person."""
    return Approval(
        matter="assumption",
        question=asked["question"],
        background=asked["reading"],
        options=tuple(asked["options"]),
        free_text=True,
    )


def _contradicts(state: TeamState, answers: dict[str, str]) -> bool:
    """Whether an answer settles something in another way than the suite demands it."""
    given = [(question, answers.get(question.text, LEAVE_OPEN)) for question in _questions_asked(state)]
    return any(answer != LEAVE_OPEN and not answered(question, answer) for question, answer in given)


def _questions_asked(state: TeamState) -> list[Question]:
    """The assumptions of the suite, those included that the second reading made of its tests."""
    stance = Stance(state["module_name"], may_ask=True)
    return [found.question for found in weigh(state["tests"], _reading(state), stance).assumptions]


def _taken(answer: str) -> str:
    return "left open" if answer == LEAVE_OPEN else "added to the request"


def _reading(state: TeamState) -> SecondReading | None:
    reading = state.get("reading")
    if reading is None or reading["missing"]:
        return None
    answers = {name: Heard(given["value"], given["words"]) for name, given in reading["answers"].items()}
    labels = {test: Provenance(test, given["kind"], given["words"]) for test, given in reading["labels"].items()}
    return SecondReading(answers, labels)


def _open_question(found: Weighed) -> OpenQuestion:
    options = dict.fromkeys([found.question.expected, *found.others, LEAVE_OPEN])
    assumed = f"The architect assumed: {found.question.words}."
    read = f" The second reading: {found.reading}." if found.reading else ""
    return OpenQuestion(question=found.question.text, reading=f"{assumed}{read}", options=list(options))


def _assumption(found: Weighed, number: int) -> Assumption:
    return Assumption(
        id=f"A{number}",
        words=found.question.words,
        question=found.question.text,
        tests=list(found.question.tests),
        standing=found.outcome,
        reading=found.reading,
        source=found.source,
    )


def _trail(state: TeamState, weighing: Weighing) -> Iterator[AuditEntry]:
    """One line for each label that was weakened and each assumption that does not simply stand."""
    place = f"second-reading-{state.get('rounds', 0)}"
    for old, new in weighing.weakened:
        told = f"{new.test} is called {old.kind}, and reads as {new.kind}" + (f": {new.words}" if new.words else "")
        action = f"labelled {new.kind}"
        yield audit_entry(f"{place}-{new.test}", role="architect", gate=GATE, reasons=[told], action=action)
    for number, found in enumerate(weighing.assumptions, start=1):
        if found.outcome != "stands":
            told = f"{found.question.words}: {found.question.text} {found.reading}".strip()
            yield audit_entry(
                f"{place}-A{number}", role="architect", gate=GATE, reasons=[told], action=_DONE[found.outcome]
            )


_DONE = {
    "settled": "settled by a person",
    "contested": "contested: its tests do not bind the code",
    "dropped": "dropped: no assumption binds the code",
}
