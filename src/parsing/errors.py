"""Why a reply cannot be used, in words that its author can act on."""

from typing import Literal

Kind = Literal[
    "empty",
    "blocked",
    "truncated",
    "too_long",
    "refusal",
    "degenerate",
    "no_code",
    "not_python",
    "diff",
    "elided",
    "unchanged",
    "missing_names",
    "missing_tests",
    "missing_specification",
    "wrong_import",
    "no_decision",
    "missing_answers",
]
"""What was wrong, as one word for statistics and tests."""


class FormatError(Exception):
    """A reply does not hold what its author was asked for; `reason` is sent back word for word."""

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(reason)
        self.kind: Kind = kind
        self.reason = reason
