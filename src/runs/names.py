"""Names of runs: such that a person can read and type them."""

import re
import secrets

from src.errors import ConfigurationError

MAX_NAME = 60
_ALLOWED = re.compile(r"[a-z0-9][a-z0-9_-]*", re.IGNORECASE)


def new_run_id(request: str) -> str:
    """A name that a person can read and type, for example `in-memory-sliding-window-rate-7f3a`."""
    words = [word for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", request.lower()) if word not in _FILLERS]
    return "-".join([*words[:3], secrets.token_hex(2)])[:60]


_FILLERS = frozenset(
    {"a", "an", "and", "build", "class", "create", "function", "implement", "in", "make", "me", "module", "of"}
    | {"please", "python", "that", "the", "write"}
)


def check_name(name: str) -> str:
    """A name that a person gave. Raises `ConfigurationError` for one that no folder and no database would take."""
    if len(name) > MAX_NAME or not _ALLOWED.fullmatch(name):
        raise ConfigurationError(
            f"A run cannot be called {name[:80]!r}.",
            f"Letters, digits, - and _ make a name, at most {MAX_NAME}; a letter or a digit begins it.",
        )
    return name
