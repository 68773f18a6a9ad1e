"""The outbox: a mail with a key is sent once, whoever comes twice and wherever a process dies.

What is to go out is written down first, then handed over, then ticked off. A process that dies in between leaves a mail
that is written down and not ticked off; whoever comes next asks the other side whether it has it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from examples.inbox.ports import Transport
from src.errors import ConfigurationError

PATIENCE = 60.0
"""Seconds that a process waits for others that write to the same file."""

_TABLE = "CREATE TABLE IF NOT EXISTS outbox (key TEXT PRIMARY KEY, recipient TEXT NOT NULL, state TEXT NOT NULL)"


class Entry(NamedTuple):
    """A mail that was to go out."""

    key: str
    """What it is sent under."""
    recipient: str
    """Who gets it."""
    state: str
    """`handed over`, or `sent`."""


class Outbox:
    """Sends by a transport. Each call opens a connection of its own, so it can be used from several threads."""

    def __init__(self, path: Path, transport: Transport) -> None:
        """Open it. Raises `ConfigurationError` for a file that cannot be used."""
        self._path, self._transport = path, transport
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._transaction() as database:
                database.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(
                f"The outbox {path} cannot be used: {error}.", "Set RUNS_PATH to a file in another folder."
            ) from None

    def send(self, key: str, message: EmailMessage) -> bool:
        """Send a mail unless its key was used before; returns whether it went out now."""
        lock = self._path.with_suffix(".lock")
        with FileLock(lock, timeout=PATIENCE):  # two that come at the same time would both find it not yet delivered
            return self._sent_now(key, message)

    def _sent_now(self, key: str, message: EmailMessage) -> bool:
        with self._transaction() as database:
            row = (key, message["To"], "handed over")
            new = database.execute("INSERT OR IGNORE INTO outbox VALUES (?, ?, ?)", row).rowcount == 1
        if self.sent(key):
            return False
        fresh = new or not self._transport.delivered(message["Message-ID"])
        if fresh:
            self._transport.deliver(message)
        with self._transaction() as database:
            database.execute("UPDATE outbox SET state = 'sent' WHERE key = ?", (key,))
        return fresh

    def sent(self, key: str) -> bool:
        """Whether the mail with this key went out."""
        return any(entry.key == key and entry.state == "sent" for entry in self.entries())

    def begun(self, key: str) -> bool:
        """Whether it was handed over, and perhaps went out."""
        return any(entry.key == key for entry in self.entries())

    def entries(self) -> list[Entry]:
        """Every mail that was to go out, in the order in which it came."""
        with self._transaction() as database:
            return [Entry(*row) for row in database.execute("SELECT * FROM outbox ORDER BY rowid")]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: a connection that is closed before its COMMIT has changed nothing."""
        with closing(sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            yield database
            database.execute("COMMIT")
