"""Faults of ours, each with what to do about it and the exit code that it ends a command with."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command tells its caller. README.md lists them."""

    VERIFIED = 0
    UNVERIFIED = 1
    USAGE = 2
    PAUSED = 3
    BUDGET = 4
    SANDBOX = 5
    PROVIDER = 6
    INTERRUPTED = 130


class TeamError(Exception):
    """A run cannot go on.

    `message` says what happened, `remedy` what a person can do about it.
    """

    exit_code = ExitCode.UNVERIFIED

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message


class ConfigurationError(TeamError):
    """Wrong usage or configuration; nothing was spent."""

    exit_code = ExitCode.USAGE


class Paused(TeamError):
    """The run waits for a person's answer."""

    exit_code = ExitCode.PAUSED


class Stopped(TeamError):
    """The run was asked to stop, and did at the end of a step."""

    exit_code = ExitCode.INTERRUPTED


class ProviderError(TeamError):
    """A model provider refused, or failed for good after retries."""

    exit_code = ExitCode.PROVIDER
    billed = False
    """Whether the provider may ask money for what it did before it failed."""


class BudgetReached(TeamError):
    """The next call to a model could cross a budget; it was not made."""

    exit_code = ExitCode.BUDGET


class ReplayExhausted(ProviderError):
    """A transcript holds no further reply for a role."""
