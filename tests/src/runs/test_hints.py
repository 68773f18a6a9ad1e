"""Lessons that are found by their meaning, through whole runs with a model that knows what a few words mean."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.fake import FakeSandbox
from src.errors import ProviderError
from src.events import Progress
from src.ledger import Budget, Ledger
from src.meaning import OTHERS
from src.reply import Embedded, Permit, Reply, Usage, WorstCase, permitted
from src.runs import Address
from src.runs.shelf import open_shelf
from src.runs.vectors import ROOM, Vectors
from tests.conftest import RunsReadOnce, Team
from tests.src.runs.test_travel import HEALED, PATCH, judge

CAUSE = "The oldest entry was thrown out in place of the least used one."
LEARNT = HEALED | {"debugger": [PATCH.replace("The answer was one too low.", CAUSE)]}
REQUEST = "A cache that evicts what was used longest ago."
SAME = "Keep the latest results in memory, within bounds."
OTHER = "Say how many days a month has."
KEY = "a long secret text"


def meaning(text: str) -> list[float]:
    """One number for all that is about caches, one for dates, one for everything."""
    words = text.lower()
    return [
        3.0 * any(word in words for word in ("cache", "memory", "thrown out")),
        3.0 * any(word in words for word in ("days", "month")),
        1.0,
    ]


class Embedding:
    """An embedding model that remembers what it was asked."""

    def __init__(self, name: str = "told:one", fault: ProviderError | None = None) -> None:
        self.name = name
        self.fault = fault
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], permit: Permit = permitted) -> Embedded:  # noqa: ARG002  # one attempt is enough
        self.asked.append(list(texts))
        if self.fault:
            raise self.fault
        return Embedded([*map(meaning, texts)], Reply("", "complete", Usage(50, 0, cost=0.001), "told", 0.1))

    def worst_case(self, texts: Sequence[str]) -> WorstCase:  # noqa: ARG002  # whatever is asked
        return WorstCase(100, 0.002, "told")


class Bench:
    """Runs of one project whose first one has taught a lesson about caches."""

    def __init__(self, path: Path, key: str | None = None) -> None:
        self.address = Address(path, key=key)
        self.runs = RunsReadOnce(self.address, min_tests=1)
        self.run(REQUEST, Team(FakeSandbox(judge, series=judge), "first", **LEARNT), None)

    def run(self, request: str, crew: Team, embedder: Embedding | None, budget: Budget | None = None) -> str:
        """What the architect was asked."""
        context = replace(crew.context, embedder=embedder, ledger=Ledger(budget))
        self.runs.start(request, context, lessons="here")
        return crew.models["architect"].asked[0][1][1]

    def next(self, name: str, request: str, embedder: Embedding) -> str:
        """The same, with a run that is healed."""
        return self.run(request, Team(FakeSandbox(judge, series=judge), name, **HEALED), embedder)

    def rooms(self) -> list[tuple[str, ...]]:
        """Where vectors are kept."""
        with self.address.open() as database:
            return [tuple(room) for room in database.store.list_namespaces(prefix=(ROOM,))]


@pytest.mark.parametrize("key", [None, KEY])
def test_a_lesson_is_told_to_a_request_that_means_the_same_in_other_words(tmp_path: Path, key: str | None) -> None:
    bench, model = Bench(tmp_path / "runs.sqlite", key), Embedding()
    assert CAUSE in bench.next("second", SAME, model)
    assert CAUSE not in bench.next("third", OTHER, model)
    assert [len(texts) for texts in model.asked] == [2 + len(OTHERS), 2], "each lesson is embedded once"
    assert model.asked[1] == [OTHER, f"The answer was one too low. {SAME}"]
    calls = bench.runs.saved("second").calls
    assert [(call["role"], call["standing"], call["cost"]) for call in calls[:2]] == [
        ("embedding", "answered", 0.001),
        ("architect", "answered", 0.01),
    ]
    if key:
        content = b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite*") if path.is_file())
        assert b"thrown out" not in content


def test_another_model_makes_vectors_of_its_own_and_a_lesson_takes_all_of_them_with_it(tmp_path: Path) -> None:
    bench, second = Bench(tmp_path / "runs.sqlite"), Embedding("told:two")
    bench.next("second", SAME, Embedding("told:one"))
    assert CAUSE in bench.next("third", SAME, second)
    assert len(second.asked[0]) == 3 + len(OTHERS)
    assert len(bench.rooms()) == 2
    with open_shelf(bench.address, "here") as shelf:
        key = next(one.key for one, _ in shelf.all() if one.cause == CAUSE)
        shelf.edit(key, "Count from one.")
    with bench.address.open() as database:
        assert [database.store.get(room, key) for room in bench.rooms()] == [None, None]


def test_a_model_that_cannot_be_asked_ends_no_run_and_words_find_the_lessons(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "runs.sqlite")
    crew = Team(FakeSandbox(judge, series=judge), "second", **HEALED)
    asked = bench.run(f"{REQUEST} And counts.", crew, Embedding(fault=ProviderError("It is out of order.")))
    assert CAUSE in asked
    assert Progress("It is out of order. Lessons are found by their words.") in crew.events
    saved = bench.runs.saved("second")
    assert [(call["role"], call["standing"], call["cost"]) for call in saved.calls[:1]] == [
        ("embedding", "failed", 0.0)
    ]
    (line,) = [entry for entry in saved.state["audit"] if entry["gate"] == "embedding"]
    assert (line["reason"], line["action"]) == ("It is out of order.", "found by words")


def test_a_budget_holds_before_a_model_is_asked_for_vectors(tmp_path: Path) -> None:
    bench, model = Bench(tmp_path / "runs.sqlite"), Embedding()
    crew = Team(FakeSandbox(judge, series=judge), "second", **HEALED)
    with pytest.raises(Exception, match="next call of the architect"):
        bench.run(SAME, crew, model, Budget(tokens=60))
    assert not model.asked
    assert "next call of the embedding model could take 100" in str(crew.events[0])


def test_a_model_of_the_same_name_with_other_vectors_is_asked_anew(tmp_path: Path) -> None:
    bench, model = Bench(tmp_path / "runs.sqlite"), Embedding()
    bench.next("second", SAME, model)
    with bench.address.open() as database:
        vectors = Vectors(database.store, "here", database.vault)
        for key, vector in vectors.of(model.name).items():
            vectors.keep(model.name, key, vector[:2])
    assert CAUSE not in bench.next("third", SAME, model)
    assert CAUSE in bench.next("fourth", SAME, model)


def test_a_project_without_lessons_asks_for_nothing(tmp_path: Path) -> None:
    model = Embedding()
    crew = Team(FakeSandbox(judge, series=judge), "a", **HEALED)
    runs = RunsReadOnce(Address(tmp_path / "runs.sqlite"), min_tests=1)
    runs.start(SAME, replace(crew.context, embedder=model), lessons="here")
    assert not model.asked
