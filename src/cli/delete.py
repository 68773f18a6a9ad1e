"""`selfheal delete RUN`: all that the database keeps of a run; the files in its folder stay."""

import sys

from src.cli.console import open_console
from src.cli.plan import resume_line
from src.cli.stored import address_of, runs_of
from src.config import load_settings
from src.errors import ConfigurationError, ExitCode
from src.text import one_line


def delete_command(run_id: str, *, sure: bool) -> int:
    """Delete a run and return the exit code. Raises `ConfigurationError` when it is unknown, at work, or not meant."""
    settings = load_settings()
    address_of(settings).check()
    runs = runs_of(settings)
    console = open_console(error=True)
    runs.check_known(run_id)
    if not sure and not _meant(run_id):
        console.print("Nothing was deleted.")
        return ExitCode.UNVERIFIED
    runs.delete(run_id)
    console.print(f"Deleted the run {one_line(run_id)}; the files in its folder are left alone.", soft_wrap=True)
    return 0


def _meant(run_id: str) -> bool:
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
        raise ConfigurationError(
            "Nobody is there to be asked.", f"Say it with: {resume_line(run_id, command='delete')} --yes"
        )
    open_console(error=True).print(f"Delete all that is saved of the run {one_line(run_id)}? [y/N] ", end="")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
