"""The one place where the databases of runs are opened: SQLite as a file, or Postgres by its address."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from src.errors import ConfigurationError
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
    """Holds a run, so that no other process works on it; raises `ConfigurationError` when one does."""


Opened: TypeAlias = "tuple[BaseCheckpointSaver[Any], BaseStore, Callable[[str], AbstractContextManager[None]]]"


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
        from psycopg.conninfo import conninfo_to_dict

        told = conninfo_to_dict(self.url)
        return f"{told.get('host', 'localhost')}/{told.get('dbname', '')}"

    @contextmanager
    def open(self) -> Iterator[Database]:
        """The database, its tables made where they are missing. Raises `ConfigurationError` when it cannot be used."""
        with ExitStack() as stack:
            checkpointer, store, held = self._postgres(stack) if self.url else self._sqlite(stack)
            from src.runs.slim import SlimSaver, Texts

            vault = Vault(self.key)
            yield Database(SlimSaver(checkpointer, Texts(store, vault)), store, vault, held)

    def _sqlite(self, stack: ExitStack) -> "Opened":
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.store.sqlite import SqliteStore

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            saving = stack.enter_context(closing(self._connection()))
            storing = stack.enter_context(closing(self._connection(isolation_level=None)))
            checkpointer, store = SqliteSaver(saving, serde=self._serde()), SqliteStore(storing)
            checkpointer.setup()
            store.setup()
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(
                f"RUNS_PATH={self.path} cannot be used: {error}.", "Set RUNS_PATH to a file that can be written."
            ) from None
        return checkpointer, store, self._file_held

    @contextmanager
    def _file_held(self, run_id: str) -> Iterator[None]:
        from filelock import FileLock, Timeout

        folder = self.path.with_name(f"{self.path.name}.held")
        folder.mkdir(exist_ok=True)
        try:
            with FileLock(folder / f"{run_id}.lock", timeout=0):
                yield
        except Timeout:
            raise _at_work(run_id) from None

    def _connection(self, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(self.path, timeout=PATIENCE, check_same_thread=False, **more)
        connection.execute("PRAGMA journal_mode=WAL")
        return connection

    def _postgres(self, stack: ExitStack) -> "Opened":
        try:
            import psycopg
            from langgraph.checkpoint.postgres import PostgresSaver
            from langgraph.store.postgres import PostgresStore
            from psycopg.rows import dict_row
        except ImportError as error:
            raise ConfigurationError(
                f"RUNS_URL needs packages that are not installed: {error.name}.", "Install selfheal[postgres]."
            ) from None
        assert self.url is not None
        options: Any = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        try:
            saving = stack.enter_context(psycopg.Connection.connect(self.url, **options))
            storing = stack.enter_context(psycopg.Connection.connect(self.url, **options))
            with saving.cursor() as cursor:  # two that make the tables at once would meet half of them
                cursor.execute("SELECT pg_advisory_lock(7163621)")
                try:
                    checkpointer, store = PostgresSaver(saving, serde=self._serde()), PostgresStore(storing)
                    checkpointer.setup()
                    store.setup()
                finally:
                    cursor.execute("SELECT pg_advisory_unlock(7163621)")
        except psycopg.Error as error:
            told = " ".join(str(error).split())[:300]
            raise ConfigurationError(f"RUNS_URL cannot be used: {told}", "See that the server runs.") from None

        @contextmanager
        def held(run_id: str) -> Iterator[None]:
            with psycopg.Connection.connect(str(self.url), autocommit=True) as connection:
                row = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [run_id]).fetchone()
                if not row or not row[0]:
                    raise _at_work(run_id)
                yield

        return checkpointer, store, held

    def _serde(self) -> Any:
        from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
        from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

        plain = JsonPlusSerializer(allowed_msgpack_modules=None)  # state is plain data; nothing else is ever restored
        return EncryptedSerializer(Vault(self.key), plain) if self.key else plain


def _at_work(run_id: str) -> ConfigurationError:
    return ConfigurationError(
        f"Another process is at work on the run {run_id!r}.", "Wait until it is done, or stop it; then try again."
    )
