"""What is said when a run is already at work."""

from src.errors import ConfigurationError


def at_work(run_id: str) -> ConfigurationError:
    """The refusal of a run that another process works on."""
    return ConfigurationError(
        f"Another process is at work on the run {run_id!r}.", "Wait until it is done, or stop it; then try again."
    )
