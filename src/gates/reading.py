"""What becomes of a suite's assumptions: the architect's labels, a second reading and a person's answers side by side.

The rules, in the order in which they hold:

1. Where the second reading labels a test more weakly than the architect did, the weaker label holds. A stronger one
   changes nothing: the architect knows best what it assumed.
2. A test that becomes an assumption that way is *contested* at once. The second reading saw it with its expected value
   and still found nothing in the request to rest it on, which is the answer "not settled" to its question.
3. A person's answer to a question counts for good: the demand of the architect is *settled* by an answer that meets it,
   and contested by any other, "leave open" included.
4. Where no assumption shall bind, all others are *dropped*.
5. Without a second reading, the others *stand*: they bind the code and are listed.
6. An assumption stands when the second reading answers each of its calls as its tests demand. An answer that differs,
   that cannot be compared, or "not settled", makes it contested.

What is contested or dropped leaves the suite and keeps its source. A contested assumption that may be asked of a person
stays in the suite until that person has answered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from src.gates.answers import agrees
from src.gates.excerpts import relabelled, sources_of, without_tests
from src.gates.provenance import Provenance, provenance_of, strength
from src.gates.questions import Question, answered, questions_of
from src.gates.source import parse, test_names

LEAVE_OPEN = "leave open"
"""A person's answer that settles nothing."""

Outcome = Literal["stands", "settled", "contested", "dropped"]


@dataclass(frozen=True)
class Heard:
    """What the second reading answered to a question or to one of its calls."""

    value: str
    """What should happen; empty: not settled."""
    words: str = ""
    """The words of the request, or why nothing settles it."""


@dataclass(frozen=True)
class SecondReading:
    """The second reading, as far as there was one."""

    answers: Mapping[str, Heard]
    """By the id of the question or of its call."""
    labels: Mapping[str, Provenance]
    """By the name of the test."""


@dataclass(frozen=True)
class Stance:
    """How assumptions are to be treated."""

    module_name: str
    """Import name of the module."""
    drop: bool = False
    """Whether no assumption shall bind the code."""
    may_ask: bool = False
    """Whether contested ones may still be asked of a person."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What a person answered, by the text of the question."""


@dataclass(frozen=True)
class Weighed:
    """An assumption and what became of it."""

    question: Question
    """The assumption as a question."""
    outcome: Outcome
    """What became of it."""
    reading: str
    """What the second reading, or a person, answered; empty when nobody was asked."""
    source: str = ""
    """Source of its tests when they were taken out."""
    to_ask: bool = False
    """Whether a person is to be asked first."""
    others: tuple[str, ...] = ()
    """What others than the architect answered, as answers to choose from."""


@dataclass(frozen=True)
class Weighing:
    """The suite that binds, and why it does."""

    tests: str
    """The suite without what does not bind."""
    assumptions: tuple[Weighed, ...]
    """Every assumption, in the suite's order."""
    weakened: tuple[tuple[Provenance, Provenance], ...]
    """Labels that were weakened: the architect's, and the one that holds."""

    @property
    def binds(self) -> bool:
        """Whether a test is left."""
        tree = parse(self.tests)
        return not isinstance(tree, str) and bool(test_names(tree))


def weigh(tests: str, reading: SecondReading | None, stance: Stance) -> Weighing:
    """Decide what binds the code, by the rules above. `reading`: `None` when there was none."""
    asked = {test: question for question in questions_of(tests, stance.module_name) for test in question.tests}
    weakened = tuple(_weakened(tests, reading)) if reading else ()
    suite = relabelled(tests, {label.test: label for _, label in weakened}) if weakened else tests
    weak = {label.test: label for _, label in weakened if label.kind == "assumption"}
    weighed = []
    for question in questions_of(suite, stance.module_name):
        doubts = [weak[test] for test in question.tests if test in weak]
        found = _weigh(question, asked.get(question.tests[0]), doubts, reading, stance)
        leaves = found.outcome in ("contested", "dropped") and not found.to_ask
        weighed.append(_with_source(found, suite) if leaves else found)
    gone = [test for found in weighed if found.source for test in found.question.tests]
    return Weighing(without_tests(suite, gone) if gone else suite, tuple(weighed), weakened)


def _weakened(tests: str, reading: SecondReading) -> list[tuple[Provenance, Provenance]]:
    labels = provenance_of(tests)
    return [
        (labels[name], label)
        for name, label in reading.labels.items()
        if name in labels and strength(label.kind) < strength(labels[name].kind)
    ]


def _weigh(
    question: Question,
    asked: Question | None,
    doubts: Sequence[Provenance],
    reading: SecondReading | None,
    stance: Stance,
) -> Weighed:
    if (answer := stance.answers.get(question.text)) is not None:
        met = answer != LEAVE_OPEN and answered(question, answer)
        return Weighed(question, "settled" if met else "contested", answer)
    if stance.drop:
        return Weighed(question, "dropped", "")
    if doubts:
        told = f"not settled: {doubts[0].words}" if doubts[0].words else "not settled"
        return Weighed(question, "contested", told, to_ask=stance.may_ask)
    if reading is None or asked is None:
        return Weighed(question, "stands", "")
    heard = _heard(asked, reading)
    told = _told(asked, heard)
    if heard and all(agrees(each.value, demand) for each, demand in zip(heard, asked.demands, strict=False)):
        return Weighed(question, "stands", told)
    others = (told,) if heard and all(each.value for each in heard) else ()
    return Weighed(question, "contested", told, to_ask=stance.may_ask, others=others)


def _heard(question: Question, reading: SecondReading) -> list[Heard]:
    """What was answered to each call; to the whole question, where its calls cannot be told."""
    whole = reading.answers.get(question.id, Heard(""))
    ids = question.calls or {question.id: ""}
    return [reading.answers.get(name, whole) for name in ids]


def _told(question: Question, heard: Sequence[Heard]) -> str:
    said = [each.value or f"not settled: {each.words}".rstrip(": ") for each in heard]
    if len(set(said)) == 1:
        return said[0]
    return "; ".join(f"{demand.call} {told}" for demand, told in zip(question.demands, said, strict=True))


def _with_source(found: Weighed, suite: str) -> Weighed:
    source = sources_of(suite, found.question.tests)
    return Weighed(found.question, found.outcome, found.reading, source)
