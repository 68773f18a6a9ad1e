"""Runs in a Postgres database: how it is opened, and how a run is held in it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any

from src.errors import ConfigurationError
from src.runs.held import THREADS, AtWork, Opened

CONNECT_SECONDS = 10
"""Seconds that a server may take to answer, where the address does not say how many."""
_SETUP = 7163621
"""Number of the lock under which the tables are made."""


def open_postgres(url: str, stack: ExitStack, serde: Callable[[], Any]) -> Opened:
    """The checkpointer, the store and what holds a run. Raises `ConfigurationError` when the database cannot be used.

    `stack` closes the connections; `serde` makes the checkpointer's serializer.
    """
    _driver()
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.store.postgres import PostgresStore
    from psycopg.rows import dict_row

    options: Any = {"prepare_threshold": 0, "row_factory": dict_row}
    saving = stack.enter_context(_connected(url, **options))
    storing = stack.enter_context(_connected(url, **options))
    checkpointer, store = PostgresSaver(saving, serde=serde()), PostgresStore(storing)
    with postgres_faults(), saving.cursor() as cursor:  # two that make the tables at once would meet half of them
        cursor.execute("SELECT pg_advisory_lock(%s)", [_SETUP])
        try:
            checkpointer.setup()
            store.setup()
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_SETUP])

    @contextmanager
    def held(run_id: str) -> Iterator[None]:
        """For as long as this connection lasts, and so no longer than the process does."""
        with _connected(url) as connection:
            row = connection.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [run_id]).fetchone()
            if not row or not row[0]:
                raise AtWork(run_id)
            yield

    def threads() -> list[str]:
        with saving.cursor() as cursor:
            return [row["thread_id"] for row in cursor.execute(THREADS).fetchall()]

    return Opened(checkpointer, store, held, threads)


@contextmanager
def postgres_faults() -> Iterator[None]:
    """What goes wrong with the server within this is a `ConfigurationError`."""
    psycopg = _driver()
    try:
        yield
    except psycopg.Error as error:
        raise _unusable(error) from error


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
    patience = {} if "connect_timeout" in known else {"connect_timeout": CONNECT_SECONDS}
    with postgres_faults():
        return psycopg.Connection.connect(url, autocommit=True, **patience, **options)


_REMEDY = "See that the server runs and takes this user, or leave RUNS_URL out."


def _unusable(error: Exception) -> ConfigurationError:
    return ConfigurationError(f"RUNS_URL cannot be used: {' '.join(str(error).split())[:300]}", _REMEDY)
