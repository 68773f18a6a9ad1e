"""Where runs are saved, as the settings say."""

from pathlib import Path

from src.config import Settings, load_settings
from src.errors import TeamError
from src.lessons import project_name
from src.runs import Address, Runs


def address_of(settings: Settings) -> Address:
    """The database of runs."""
    url, key = settings.runs_url, settings.runs_key
    return Address(settings.runs_path, url.get_secret_value() if url else None, key.get_secret_value() if key else None)


def complete_name(incomplete: str) -> list[str]:
    """Names of runs that begin so, for the shell. What is wrong is no matter here: a command will say so."""
    try:
        settings = load_settings()
        if settings.runs_url is None and not settings.runs_path.exists():
            return []
        return [name for name in runs_of(settings).names() if name.startswith(incomplete)]
    except TeamError:
        return []


def runs_of(settings: Settings) -> Runs:
    """The runs in it."""
    return Runs(address_of(settings), max_corrections=settings.max_corrections, min_tests=settings.min_tests)


def project_of(settings: Settings) -> str:
    """The project whose lessons are told."""
    return project_name(settings.lessons_project, Path.cwd())
