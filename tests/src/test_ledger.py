"""The ledger: every request is written down, no budget is crossed, and no reply is paid for twice."""

import os
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import BudgetReached, ProviderError
from src.ledger import Budget, Entry, Ledger, spent_at_most
from src.models.faults import GarbageFault, RateLimitFault
from src.reply import Permit, Reply, Usage, WorstCase, permitted
from src.state import Message

ASK: list[Message] = [("human", "Go on.")]


class Shelf:
    """A book that outlives its ledger, as a database does."""

    def __init__(self) -> None:
        self.kept: dict[str, Entry] = {}

    def put(self, place: str, entry: Entry) -> None:
        self.kept[place] = entry

    def entries(self) -> dict[str, Entry]:
        return dict(self.kept)


class Metered:
    """A model that fails as often as it is told before it answers, and costs what it is told."""

    def __init__(self, *fails: ProviderError, usage: Usage | None = None, worst: WorstCase | None = None) -> None:
        self.fails = list(fails)
        self.usage = usage or Usage(60, 40, cost=0.01)
        self.worst = worst or WorstCase(100, 0.02, "m")
        self.sent = 0

    def worst_case(self, _messages: Sequence[Message]) -> WorstCase:
        return self.worst

    def ask(self, _messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        self.sent += 1
        while self.fails:
            fault = self.fails.pop(0)
            permit(billed=fault.billed)
            self.sent += 1
        return Reply("text", "complete", self.usage, "m", 1.0)


class Failing(Metered):
    """A model that fails for good."""

    def ask(self, _messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002  # one attempt
        raise self.fails[0]


def test_a_call_is_written_down_with_what_it_used() -> None:
    ledger = Ledger()
    ledger.ask("a", "developer", Metered(), ASK)
    (call,) = ledger.calls
    assert (call["role"], call["model"], call["input_tokens"], call["cost"]) == ("developer", "m", 60, 0.01)
    assert call["standing"] == "answered"


def test_a_call_is_written_down_before_it_is_made() -> None:
    shelf = Shelf()

    class Looks(Metered):
        def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
            assert [entry["standing"] for entry in shelf.kept.values()] == ["open"]
            return super().ask(messages, permit)

    Ledger(book=shelf).ask("a", "developer", Looks(), ASK)


def test_a_reply_that_came_before_a_crash_is_not_asked_for_again() -> None:
    shelf, model = Shelf(), Metered()
    first = Ledger(book=shelf).ask("a", "developer", model, ASK)
    again = Ledger(book=shelf).ask("a", "developer", model, ASK)
    assert (again.text, again.usage, model.sent) == (first.text, first.usage, 1)
    Ledger(book=shelf).ask("b", "developer", model, ASK)
    assert model.sent == 2, "another step is another call"


def test_a_call_that_died_with_its_process_counts_at_its_worst() -> None:
    shelf = Shelf()

    class Dies(Metered):
        def ask(self, _messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Ledger(book=shelf).ask("a", "developer", Dies(), ASK)
    assert spent_at_most(shelf.kept.values()) == WorstCase(100, 0.02)
    Ledger(Budget(dollars=0.04), shelf).ask("a", "developer", Metered(), ASK)
    with pytest.raises(BudgetReached):
        Ledger(Budget(dollars=0.04), shelf).ask("b", "developer", Metered(), ASK)


@pytest.mark.parametrize(("fault", "cost"), [(GarbageFault("?", billed=True), 0.02), (RateLimitFault("wait"), 0.0)])
def test_a_failed_call_counts_when_the_provider_may_ask_money_for_it(fault: ProviderError, cost: float) -> None:
    shelf = Shelf()
    with pytest.raises(ProviderError):
        Ledger(book=shelf).ask("a", "developer", Failing(fault), ASK)
    assert [entry["standing"] for entry in shelf.kept.values()] == ["failed"]
    assert spent_at_most(shelf.kept.values()).cost == cost


def test_every_attempt_is_a_request_of_its_own() -> None:
    shelf = Shelf()
    model = Metered(GarbageFault("?", billed=True), RateLimitFault("wait"))
    Ledger(book=shelf).ask("a", "developer", model, ASK)
    assert [call["standing"] for call in Ledger(book=shelf).calls] == ["lost", "failed", "answered"]
    assert spent_at_most(shelf.kept.values()).cost == pytest.approx(0.03)


def test_a_budget_also_stops_another_attempt() -> None:
    model = Metered(*[GarbageFault("?", billed=True)] * 5)
    with pytest.raises(BudgetReached):
        Ledger(Budget(dollars=0.05)).ask("a", "developer", model, ASK)
    assert model.sent == 2


@pytest.mark.parametrize(
    ("budget", "calls"), [(Budget(dollars=0.05), 4), (Budget(tokens=350), 3), (Budget(dollars=0.019), 0), (Budget(), 9)]
)
def test_a_run_stops_before_the_call_that_could_cross_its_budget(budget: Budget, calls: int) -> None:
    ledger, model = Ledger(budget), Metered()
    for number in range(9):
        try:
            ledger.ask(str(number), "developer", model, ASK)
        except BudgetReached:
            break
    assert model.sent == calls


def test_a_model_of_unknown_price_is_not_called_under_a_budget_in_dollars() -> None:
    model = Metered(worst=WorstCase(100, None))
    with pytest.raises(BudgetReached, match="unknown"):
        Ledger(Budget(dollars=9)).ask("a", "developer", model, ASK)
    assert model.sent == 0


def test_a_reply_of_unknown_cost_counts_at_its_worst() -> None:
    ledger, model = Ledger(Budget(dollars=0.05)), Metered(usage=Usage())
    ledger.ask("a", "developer", model, ASK)
    ledger.ask("b", "developer", model, ASK)
    with pytest.raises(BudgetReached):
        ledger.ask("c", "developer", model, ASK)


def test_threads_that_call_at_once_keep_the_budget_together() -> None:
    ledger, model = Ledger(Budget(tokens=1000)), Metered(usage=Usage(60, 40, cost=0.0))
    refused: list[str] = []

    def call(number: int) -> None:
        try:
            ledger.ask(str(number), "developer", model, ASK)
        except BudgetReached as error:
            refused.append(error.message)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(ledger.calls), len(refused)) == (10, 20)


USES = st.tuples(st.integers(0, 60) | st.none(), st.integers(0, 40) | st.none(), st.floats(0, 0.02) | st.none())


@given(st.lists(USES, max_size=12), st.floats(0, 0.2), st.integers(0, 1200))
def test_no_course_of_calls_crosses_a_budget(uses: list[Any], dollars: float, tokens: int) -> None:
    shelf = Shelf()
    for number, (read, written, cost) in enumerate(uses):
        ledger = Ledger(Budget(dollars, tokens), shelf)
        try:
            ledger.ask(str(number), "developer", Metered(usage=Usage(read, written, cost=cost)), ASK)
        except BudgetReached:
            break
    spent = spent_at_most(shelf.kept.values())
    assert spent.cost is not None
    assert spent.cost <= dollars
    assert spent.tokens <= tokens


class Watched(Metered):
    """A model that notes how many ask it at once."""

    def __init__(self, **told: Any) -> None:
        super().__init__(**told)
        self.now, self.most = 0, 0
        self.lock = threading.Lock()

    def ask(self, messages: Sequence[Message], permit: Permit = permitted) -> Reply:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        for _ in range(50):
            os.sched_yield()  # others may run
        reply = super().ask(messages, permit)
        with self.lock:
            self.now -= 1
        return reply


def asked_at_once(ledger: Ledger, model: Metered, number: int) -> list[str]:
    """How each of so many calls ended that were made together."""
    together, ended = threading.Barrier(number, timeout=30), ["" for _ in range(number)]

    def ask(which: int) -> None:
        together.wait()
        try:
            ended[which] = ledger.ask(f"p{which}", "developer", model, ASK, which + 1).text
        except BudgetReached:
            ended[which] = "refused"

    threads = [threading.Thread(target=ask, args=(which,)) for which in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return ended


def test_who_asks_at_once_waits_for_the_others_where_the_budget_does_not_hold_the_worst_of_all() -> None:
    model = Watched(usage=Usage(6, 4, cost=0.001))
    ended = asked_at_once(Ledger(Budget(dollars=0.0275, tokens=170)), model, 8)
    assert ended == ["text"] * 8, "one after the other they fit"
    assert model.most == 1, "the worst case of two does not"


def test_what_does_not_fit_when_all_others_have_ended_is_refused() -> None:
    ended = asked_at_once(Ledger(Budget(dollars=0.035)), Metered(), 4)
    assert sorted(ended) == ["refused", "refused", "text", "text"]


def test_a_call_that_dies_keeps_nobody_waiting() -> None:
    class Dies(Metered):
        def ask(self, _messages: Sequence[Message], permit: Permit = permitted) -> Reply:  # noqa: ARG002
            raise ZeroDivisionError

    ledger = Ledger(Budget(dollars=0.03))
    with pytest.raises(ZeroDivisionError):
        ledger.ask("a", "developer", Dies(), ASK)
    with pytest.raises(BudgetReached):
        ledger.ask("b", "developer", Metered(), ASK)


def test_a_call_says_which_of_several_developers_made_it() -> None:
    ledger = Ledger()
    ledger.ask("a", "developer", Metered(), ASK, 2)
    ledger.ask("b", "developer", Metered(), ASK)
    assert [call.get("developer") for call in ledger.calls] == [2, None]
