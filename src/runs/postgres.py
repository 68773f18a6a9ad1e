"""Runs in a Postgres database: how it is opened, and how a run is held in it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from src.errors import ConfigurationError
from src.runs.held import at_work

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

CONNECT_SECONDS = 10
"""Seconds that a server may take to answer, where the address does not say how many."""
_SETUP = 7163621
"""Number of the lock under which the tables are made."""


def open_postgres(
    url: str, stack: ExitStack, serde: Callable[[], Any]
) -> "tuple[BaseCheckpointSaver[Any], BaseStore, Callable[[str], AbstractContextManager[None]]]":
    """The checkpointer, the store and what holds a run. Raises `ConfigurationError` when the database cannot be used.

    `stack` closes the connections; `serde` makes the checkpointer's serializer.
    """
    psycopg = _driver()
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.store.postgres import PostgresStore
    from psycopg.rows import dict_row

    options: Any = {"prepare_threshold": 0, "row_factory": dict_row}
    saving = stack.enter_context(_connected(url, **options))
    storing = stack.enter_context(_connected(url, **options))
    checkpointer, store = PostgresSaver(saving, serde=serde()), PostgresStore(storing)
    try:
        with saving.cursor() as cursor:  # two that make the tables at once would meet half of them
            cursor.execute("SELECT pg_advisory_lock(%s)", [_SETUP])
            try:
                checkpointer.setup()
                store.setup()
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_SETUP])
    except psycopg.Error as error:
        raise _unusable(error) from None

    @contextmanager
    def held(run_id: str) -> Iterator[None]:
        """For as long as this connection lasts, and so no longer than the process does."""
        with _connected(url) as connection:
            row = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [run_id]).fetchone()
            if not row or not row[0]:
                raise at_work(run_id)
            yield

    return checkpointer, store, held


def check_postgres(url: str) -> None:
    """See that the database answers; changes nothing. Raises `ConfigurationError`."""
    with _connected(url):
        pass


def _driver() -> Any:
    """The module `psycopg`, which is optional."""
    try:
        import_module("langgraph.checkpoint.postgres")
        return import_module("psycopg")
    except ImportError as error:
        raise ConfigurationError(
            f"RUNS_URL needs packages that are not installed: {error.name}.", "Install selfheal[postgres]."
        ) from None


def _connected(url: str, **options: Any) -> Any:
    """A connection. The address is never told: it holds a password."""
    psycopg = _driver()
    from psycopg.conninfo import conninfo_to_dict

    try:
        known = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigurationError("RUNS_URL is not an address of a Postgres database.", _REMEDY) from None
    try:
        patience = {} if "connect_timeout" in known else {"connect_timeout": CONNECT_SECONDS}
        return psycopg.Connection.connect(url, autocommit=True, **patience, **options)
    except psycopg.Error as error:
        raise _unusable(error) from None


_REMEDY = "See that the server runs and takes this user, or leave RUNS_URL out."


def _unusable(error: Exception) -> ConfigurationError:
    return ConfigurationError(f"RUNS_URL cannot be used: {' '.join(str(error).split())[:300]}", _REMEDY)
