"""Where runs are saved, as the settings say."""

from src.config import Settings
from src.runs import Address, Runs


def address_of(settings: Settings) -> Address:
    """The database of runs."""
    url, key = settings.runs_url, settings.runs_key
    return Address(settings.runs_path, url.get_secret_value() if url else None, key.get_secret_value() if key else None)


def runs_of(settings: Settings) -> Runs:
    """The runs in it."""
    return Runs(address_of(settings), max_corrections=settings.max_corrections, min_tests=settings.min_tests)
