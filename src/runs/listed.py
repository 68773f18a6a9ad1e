"""Which runs there are, and what is said of one that is not among them."""

from difflib import get_close_matches

from src.errors import ConfigurationError
from src.runs.book import RunList
from src.runs.database import Address, Database
from src.runs.held import AtWork

OTHERS = ":"
"""Stands in the names of threads that other programs keep in the same database (`support_desk:a-thread`)."""

VERSION = "schema_version"
"""Is in every state, from its first checkpoint on."""


def all_names(database: Database) -> list[str]:
    """All runs, the newest first; at the end those that are older than the list."""
    listed = list(RunList(database.store).all())
    ours = {name for name in database.threads() if OTHERS not in name}
    return [*listed, *sorted(ours - set(listed))]


def check_free(run_id: str, database: Database) -> None:
    """Raise `ConfigurationError` when there is a run of that name; what was killed before its first step is none."""
    if run_id in database.threads() and _has_state(run_id, database):
        raise ConfigurationError(f"There is a run called {run_id!r} already.", "Choose another name.")


def _has_state(run_id: str, database: Database) -> bool:
    """Whether there is more than the request to begin with, which LangGraph saves before the state."""
    try:
        found = database.checkpointer.get_tuple({"configurable": {"thread_id": run_id}})
    except (ConfigurationError, NotImplementedError):  # encrypted with another key: a run of somebody's
        return True
    return found is not None and VERSION in found.checkpoint["channel_values"]


def is_at_work(run_id: str, database: Database) -> bool:
    """Whether a process works on a run."""
    try:
        with database.held(run_id):
            return False
    except AtWork:
        return True


def unknown(run_id: str, database: Database, address: Address) -> ConfigurationError:
    """What is said of a run of which nothing is saved; the nearest name is suggested."""
    names = all_names(database)
    if run_id in names:
        return ConfigurationError(
            f"The run {run_id!r} was stopped before anything of it was saved.", "Start it again, or delete it."
        )
    near = get_close_matches(run_id, names, n=1)
    suggestion = f"Did you mean {near[0]!r}? Else go" if near else "Go"
    return ConfigurationError(
        f"There is no run called {run_id[:80]!r} in {address}.",
        f"{suggestion} to the folder that the run was started in, or set RUNS_PATH or RUNS_URL to its database.",
    )
