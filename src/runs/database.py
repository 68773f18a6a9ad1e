"""The one place where the databases of runs are opened: SQLite as a file, or Postgres by its address."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlsplit

from src.errors import ConfigurationError
from src.runs.held import THREADS, AtWork, Opened
from src.runs.postgres import check_postgres, open_postgres, postgres_faults
from src.runs.vault import Vault

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

PATIENCE = 60.0
"""Seconds that a process waits for others that write to the same file."""


@dataclass(frozen=True)
class Database:
    """Where runs are kept."""

    checkpointer: "BaseCheckpointSaver[Any]"
    """Saves a run's state after each step."""
    store: "BaseStore"
    """Keeps ledgers, long texts and lessons."""
    vault: Vault
    """Seals what is kept."""
    held: "Callable[[str], AbstractContextManager[None]]"
    """Holds a run, so that no other process works on it; raises `AtWork` when one does."""
    threads: "Callable[[], list[str]]"
    """Names of all runs that have a checkpoint."""


@dataclass(frozen=True)
class Address:
    """Where a database is, and the key to it."""

    path: Path
    """File of the SQLite database."""
    url: str | None = None
    """Address of a Postgres database, which then takes the file's place."""
    key: str | None = None
    """Secret that everything is encrypted with; `None`: nothing is."""

    def __str__(self) -> str:
        """For people: no password."""
        if self.url is None:
            return str(self.path.absolute())
        parts = urlsplit(self.url)
        server = parts.hostname or parse_qs(parts.query).get("host", ["localhost"])[0]
        return f"the Postgres database {server}{':' * bool(parts.port)}{parts.port or ''}{parts.path}"

    def check(self) -> None:
        """Refuse a database that runs cannot be saved in; changes nothing. Raises `ConfigurationError`."""
        if self.url:
            check_postgres(self.url)
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as database:
                database.execute("BEGIN IMMEDIATE")  # asks for the right to write, and writes nothing
        except (OSError, sqlite3.Error) as error:
            raise _no_file(self.path, error) from None

    @contextmanager
    def open(self) -> Iterator[Database]:
        """The database, its tables made where they are missing. Raises `ConfigurationError` when it cannot be used."""
        with ExitStack() as stack:
            checkpointer, store, held, threads = (
                open_postgres(self.url, stack, self._serde) if self.url else self._sqlite(stack)
            )
            from src.runs.slim import SlimSaver, Texts

            vault = Vault(self.key)
            with postgres_faults() if self.url else self._file_faults():
                yield Database(SlimSaver(checkpointer, Texts(store, vault)), store, vault, held, threads)

    def _sqlite(self, stack: ExitStack) -> Opened:
        from filelock import FileLock
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.store.sqlite import SqliteStore

        try:
            self._locks.mkdir(parents=True, exist_ok=True)
            with FileLock(self._locks / ".setup", timeout=PATIENCE):  # two that make the tables at once would collide
                saving = stack.enter_context(closing(self._connection()))
                storing = stack.enter_context(closing(self._connection(isolation_level=None)))
                checkpointer, store = SqliteSaver(saving, serde=self._serde()), SqliteStore(storing)
                checkpointer.setup()
                store.setup()
        except (OSError, sqlite3.Error) as error:
            raise _no_file(self.path, error) from None
        return Opened(checkpointer, store, self._file_held, lambda: [row[0] for row in saving.execute(THREADS)])

    @contextmanager
    def _file_faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _no_file(self.path, error) from error

    @property
    def _locks(self) -> Path:
        """Folder of the files that processes hold each other off by; they are empty.

        The file of a run that is deleted stays. A process may have opened it and wait for the lock in the moment in
        which it is unlinked: then it holds a file without a name, and the next one holds a new file under the old name
        at the same time. To notice that takes the lock's descriptor, which filelock keeps to itself; it leaves its own
        files for the same reason.
        """
        return self.path.with_name(f"{self.path.name}.held")

    @contextmanager
    def _file_held(self, run_id: str) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            with FileLock(self._locks / f"{quote(run_id, safe='')}.lock", timeout=0):
                yield
        except Timeout:
            raise AtWork(run_id) from None

    def _connection(self, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False, **more)
        connection.execute("PRAGMA journal_mode=WAL")
        return connection

    def _serde(self) -> Any:
        from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
        from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

        plain = JsonPlusSerializer(allowed_msgpack_modules=None)  # state is plain data; nothing else is ever restored
        return EncryptedSerializer(Vault(self.key), plain) if self.key else plain


def _no_file(path: Path, error: Exception) -> ConfigurationError:
    foreign = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    foreign = foreign or "no column" in str(error) or "no such column" in str(error)
    remedy = "It is damaged, or not of this program: move it away" if foreign else "Make it a file that can be written"
    return ConfigurationError(f"RUNS_PATH={path} cannot be used: {error}.", f"{remedy}, or set RUNS_PATH to another.")
