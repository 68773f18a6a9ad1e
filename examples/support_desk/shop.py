"""The shop's own database: orders, refunds and complaints in SQLite.

What books has a key that stays the same when a step is done again: the same key books once, whoever comes twice.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from examples.support_desk.facts import Order, amount
from src.errors import ConfigurationError
from src.gates.verdict import Verdict

PATIENCE = 60.0
"""Seconds that a process waits for others that write to the same file."""

_TABLES = """
CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY, customer TEXT NOT NULL, product TEXT NOT NULL, status TEXT NOT NULL,
    delivery TEXT NOT NULL, paid_cents INTEGER NOT NULL CHECK (paid_cents >= 0));
CREATE TABLE IF NOT EXISTS refunds (
    key TEXT PRIMARY KEY, order_id TEXT NOT NULL REFERENCES orders (id),
    cents INTEGER NOT NULL CHECK (cents > 0), reason TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS complaints (
    key TEXT PRIMARY KEY, customer TEXT NOT NULL, order_id TEXT NOT NULL, summary TEXT NOT NULL,
    sentiment TEXT NOT NULL, standing TEXT NOT NULL, voucher_cents INTEGER NOT NULL CHECK (voucher_cents >= 0));
"""
_FIRST_ORDERS = (
    ("ORD-1001", "ada", "wireless headphones", "delivered", "delivered on 20 November", 7990),
    ("ORD-1002", "ada", "coffee grinder", "shipped", "expected on 3 December", 12900),
    ("ORD-1003", "ada", "standing desk", "delivered", "delivered on 12 November", 64000),
    ("ORD-1004", "ada", "desk lamp", "processing", "not sent yet", 3450),
    ("ORD-2001", "ben", "rain jacket", "delivered", "delivered on 18 November", 11900),
)


@dataclass(frozen=True)
class Booking:
    """What became of a refund."""

    verdict: Verdict
    """What the gate said of it at the moment of booking."""
    booked: bool
    """Whether it is in the books."""
    again: bool = False
    """Whether it was there before: this key had booked already."""


class Shop:
    """The shop's database. Each call opens a connection of its own, so it can be used from several threads."""

    def __init__(self, path: Path) -> None:
        """Open it; a new one has a few orders. Raises `ConfigurationError` for a file that cannot be used."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._transaction() as database:
                for table in _TABLES.split(";"):
                    database.execute(table)
                database.executemany("INSERT OR IGNORE INTO orders VALUES (?, ?, ?, ?, ?, ?)", _FIRST_ORDERS)
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(
                f"The shop's database {path} cannot be used: {error}.", "Set RUNS_PATH to a file in another folder."
            ) from None

    def orders_of(self, customer: str) -> dict[str, Order]:
        """The orders of a customer by their numbers."""
        with self._transaction() as database:
            return _orders(database, customer)

    def refund(
        self, key: str, customer: str, claim: Mapping[str, Any], judge: Callable[[Mapping[str, Order]], Verdict]
    ) -> Booking:
        """Book a refund that a person approved, unless `key` has booked before.

        `judge` sees the orders as they are at this moment, in the same transaction: weeks may lie between approval and
        booking, and what was paid is given back once.
        """
        with self._transaction() as database:
            if database.execute("SELECT 1 FROM refunds WHERE key = ?", (key,)).fetchone():
                return Booking(Verdict(), booked=True, again=True)
            verdict = judge(_orders(database, customer))
            if not verdict.passed:
                return Booking(verdict, booked=False)
            row = (key, claim["order_id"], _cents(claim["amount"]), claim["reason"])
            database.execute("INSERT INTO refunds VALUES (?, ?, ?, ?)", row)
            return Booking(verdict, booked=True)

    def file_complaint(
        self, key: str, customer: str, claim: Mapping[str, Any], standing: str, voucher: str = "0.00"
    ) -> None:
        """File a complaint, with a voucher where that makes up for it, unless `key` has done so before."""
        row = (key, customer, claim["order_id"], claim["summary"], claim["sentiment"], standing, _cents(voucher))
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO complaints VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Everything in a table, in the order in which it came."""
        if table not in ("orders", "refunds", "complaints"):
            raise ValueError(table)
        with self._transaction() as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid")]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: a connection that is closed before its COMMIT has changed nothing."""
        with closing(sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)) as database:
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")


def _orders(database: sqlite3.Connection, customer: str) -> dict[str, Order]:
    given_back = "SELECT coalesce(sum(cents), 0) FROM refunds WHERE order_id = orders.id"
    columns = f"id, product, status, delivery, paid_cents, ({given_back})"
    rows = database.execute(f"SELECT {columns} FROM orders WHERE customer = ? ORDER BY id", (customer,))
    return {
        number: Order(
            id=number, product=product, status=status, delivery=delivery, paid=_money(paid), refunded=_money(refunded)
        )
        for number, product, status, delivery, paid, refunded in rows
    }


def _cents(text: str) -> int:
    asked = amount(text)
    if asked is None:
        raise ValueError(text)  # no gate lets it come this far
    return int(asked * 100)


def _money(cents: int) -> str:
    return str((Decimal(cents) / 100).quantize(Decimal("0.01")))
