"""The ledger of a run: every call to a model, written down before it is made and once more when it has ended.

So a budget is kept although calls fail, a killed process loses no count of money that may have been spent, and a reply
that came in before a crash is not asked for again. A call of which nobody knows what it cost counts at its worst case.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, NotRequired, Protocol, TypedDict

from src.errors import BudgetReached, ProviderError
from src.reply import Embedded, Permit, Reply, Usage, WorstCase
from src.state import Call, Called, Message, Role

Standing = Literal["open", "answered", "failed", "lost"]
"""`open`: not ended, or ended with the process that made it. `lost`: an attempt without an answer, sent again since."""


class Entry(TypedDict):
    """One request to a provider."""

    number: int
    """Which request of the run this is, from 1."""
    standing: Standing
    """What became of it."""
    call: Call
    """Who was asked, and what it used as far as that is known."""
    worst_tokens: int
    """Tokens that it could use at most."""
    worst_cost: float | None
    """Dollars that it could cost at most; `None`: the price is unknown."""
    reply: dict[str, Any] | None
    """The reply, so that a crash after it came does not make it be asked for again."""
    at: NotRequired[str]
    """When this entry was last written, ISO 8601, UTC; absent in those of older versions."""


class Book(Protocol):
    """Where entries are kept, by the place in the run that each call belongs to."""

    def put(self, place: str, entry: Entry) -> None:
        """Keep an entry in place of an earlier one; it is safe when this returns."""

    def entries(self) -> dict[str, Entry]:
        """All that is kept."""


class Asked(Protocol):
    """What the ledger needs of a model; see `src.context.RoleModel`."""

    def ask(self, messages: Sequence[Message], permit: Permit = ...) -> Reply:
        """Send a conversation."""

    def worst_case(self, messages: Sequence[Message]) -> WorstCase:
        """What one request with it could use."""


class Embedder(Protocol):
    """A model that gives texts as vectors."""

    name: str
    """The model and its provider; what vectors are kept under."""

    def embed(self, texts: Sequence[str], permit: Permit = ...) -> Embedded:
        """A vector for each text. Raises `ProviderError` when none can be had."""

    def worst_case(self, texts: Sequence[str]) -> WorstCase:
        """What one request with them could use."""


@dataclass(frozen=True)
class Budget:
    """What a run may use in all. `None`: without a limit."""

    dollars: float | None = None
    """Dollars."""
    tokens: int | None = None
    """Tokens read and written."""


class Shared:
    """What the ledgers of runs side by side share: one budget, and one lock, so that no two cross it together."""

    def __init__(self) -> None:
        self.lock = threading.Condition()
        self.in_flight: set[tuple[object, str]] = set()
        """Requests of this process that have not ended; what they will have used is not known yet."""
        self._entries: dict[object, dict[str, Entry]] = {}

    def add(self, owner: object, entries: dict[str, Entry]) -> None:
        """Count these entries, and what is added to them, in place of those that `owner` had before."""
        with self.lock:
            self._entries[owner] = entries

    def entries(self) -> Iterator[Entry]:
        """Those of all ledgers."""
        for entries in self._entries.values():
            yield from entries.values()


class Ledger:
    """Lets calls through as long as the budget holds, and writes each of them down. Safe in threads."""

    def __init__(
        self,
        budget: Budget | None = None,
        book: Book | None = None,
        shared: Shared | None = None,
        owner: object | None = None,
    ) -> None:
        """`book`: where entries are kept, and those of earlier processes found; without one, in this object alone.
        `shared`: what it has in common with the ledgers of other runs. `owner`: stands for the run there.
        """
        self._budget = budget or Budget()
        self._book = book
        self._entries = book.entries() if book else {}
        self._shared = shared or Shared()
        self._lock = self._shared.lock
        self._owner = owner or object()
        self._shared.add(self._owner, self._entries)

    def kept_in(self, book: Book) -> "Ledger":
        """A ledger with the same budget over what `book` holds."""
        return Ledger(self._budget, book, self._shared, self._owner)

    @property
    def calls(self) -> list[Call]:
        """Every request so far, in order."""
        with self._lock:
            return calls_of(self._entries.values())

    @property
    def spent(self) -> WorstCase:
        """What the requests so far have used; where that is not known, what they could have."""
        with self._lock:
            return spent_at_most(self._entries.values())

    def ask(self, place: str, role: Role, model: Asked, messages: Sequence[Message], developer: int = 0) -> Reply:
        """The reply to a conversation: the one that came in before a crash, or a new one.

        `place` tells this step of the run from all others, and is the same when it is done again after a crash.
        `developer`: which of several asks; 0: there is one alone.
        A request that could cross the budget only as long as others are in flight waits for their ends, so that those
        who ask at once come as far as if they asked one after the other.
        Raises `BudgetReached` before a request that could cross the budget, and what the model raises.
        """
        if known := self._known(place):
            return known
        worst = model.worst_case(messages)
        return self._counted(place, role, worst, lambda permit: model.ask(messages, permit), developer)

    def embed(self, place: str, model: Embedder, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A vector for each text; counted as any other call is. Raises what `ask` raises."""
        made: list[Embedded] = []

        def send(permit: Permit) -> Reply:
            made.append(model.embed(texts, permit))
            return made[0].reply

        self._counted(place, "embedding", model.worst_case(texts), send)
        return made[0].vectors

    def _counted(
        self, place: str, role: Called, worst: WorstCase, send: Callable[[Permit], Reply], developer: int = 0
    ) -> Reply:
        """The reply that `send` gets, each of its attempts written down."""
        key = self._open(place, role, worst, developer)

        def permit(*, billed: bool) -> None:
            nonlocal key
            self._close(key, "lost" if billed else "failed", None if billed else Usage(0, 0, 0, 0, 0.0))
            key = self._open(place, role, worst, developer)

        try:
            reply = send(permit)
            self._close(key, "answered", reply.usage, reply)
        except ProviderError as error:
            self._close(key, "failed", None if error.billed else Usage(0, 0, 0, 0, 0.0))
            raise
        finally:
            self._land(key)  # whatever it ended with
        return reply

    def _known(self, place: str) -> Reply | None:
        with self._lock:
            for key, entry in self._entries.items():
                if key.rpartition(".")[0] == place and entry["standing"] == "answered" and entry["reply"] is not None:
                    return _reply(entry["reply"])
        return None

    def _open(self, place: str, role: Called, worst: WorstCase, developer: int) -> str:
        with self._lock:
            while (refusal := self._refusal(role, worst)) and self._shared.in_flight:
                self._lock.wait()
            if refusal:
                raise refusal
            number = len(self._entries) + 1
            key = f"{place}.{number}"
            self._keep(key, _opened(key, number, role, worst, developer))
            self._shared.in_flight.add((self._owner, key))
        return key

    def _land(self, key: str) -> None:
        with self._lock:
            self._shared.in_flight.discard((self._owner, key))
            self._lock.notify_all()

    def _close(self, key: str, standing: Standing, usage: Usage | None, reply: Reply | None = None) -> None:
        with self._lock:
            entry = self._entries[key]
            call = Call(**{**entry["call"], **_used(usage or Usage(), reply), "standing": standing})  # type: ignore[typeddict-item]
            told = vars(reply) | {"usage": vars(reply.usage)} if reply else None
            self._keep(key, Entry(**{**entry, "standing": standing, "call": call, "reply": told, "at": _now()}))
            self._land(key)

    def _keep(self, key: str, entry: Entry) -> None:
        if self._book:
            self._book.put(key, entry)
        self._entries[key] = entry

    def _refusal(self, role: Called, worst: WorstCase) -> BudgetReached | None:
        """What a request with this worst case is refused with; `None` when it cannot cross the budget."""
        spent = spent_at_most(self._shared.entries())
        who = "embedding model" if role == "embedding" else role
        if (limit := self._budget.tokens) is not None and spent.tokens + worst.tokens > limit:
            return BudgetReached(
                f"The budget of {limit:,} tokens is reached: at most {spent.tokens:,} are used, "
                f"and the next call of the {who} could take {worst.tokens:,}.",
                "Allow more with --max-tokens.",
            )
        if self._budget.dollars is None:
            return None
        if spent.cost is None or worst.cost is None:
            return BudgetReached(f"The price of the next call of the {who} is unknown, so no budget can be kept.")
        if spent.cost + worst.cost > self._budget.dollars:
            return BudgetReached(
                f"The budget of ${self._budget.dollars:.2f} is reached: at most ${spent.cost:.4f} is spent, "
                f"and the next call of the {who} could cost ${worst.cost:.4f}.",
                "Allow more with --budget.",
            )
        return None


def calls_of(entries: Iterable[Entry]) -> list[Call]:
    """The calls of some entries, in the order in which they were made."""
    return [entry["call"] for entry in sorted(entries, key=lambda entry: entry["number"])]


def spent_at_most(entries: Iterable[Entry]) -> WorstCase:
    """What some requests have used; where that is not known, what they could have."""
    tokens, cost = 0, 0.0
    known = True
    for entry in entries:
        call = entry["call"]
        told = call["input_tokens"] is not None and call["output_tokens"] is not None
        tokens += (call["input_tokens"] or 0) + (call["output_tokens"] or 0) if told else entry["worst_tokens"]
        price = call["cost"] if call["cost"] is not None else entry["worst_cost"]
        known = known and price is not None
        cost += price or 0.0
    return WorstCase(tokens, cost if known else None)


def _opened(key: str, number: int, role: Called, worst: WorstCase, developer: int) -> Entry:
    call = Call(id=key, role=role, model=worst.model, standing="open", **_used(Usage(), None))  # type: ignore[typeddict-item]
    if developer:
        call["developer"] = developer
    return Entry(
        number=number,
        standing="open",
        call=call,
        worst_tokens=worst.tokens,
        worst_cost=worst.cost,
        reply=None,
        at=_now(),
    )


def _now() -> str:
    """To be compared with the time of a checkpoint, which LangGraph writes in this form."""
    return datetime.now(UTC).isoformat()


def _used(usage: Usage, reply: Reply | None) -> dict[str, Any]:
    return {**vars(usage), "seconds": reply.seconds if reply else 0.0, **({"model": reply.model} if reply else {})}


def _reply(kept: dict[str, Any]) -> Reply:
    return replace(Reply(**{**kept, "usage": Usage(**kept["usage"])}), seconds=0.0)
