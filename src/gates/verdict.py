"""What every gate answers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A gate's outcome. It passed when there is no reason against the candidate."""

    reasons: tuple[str, ...] = ()
    """Why not, one line each; specific enough to be sent to the author word for word."""
    escalate: bool = False
    """Whether asking the same author again is of no use, so that somebody else must decide."""

    @property
    def passed(self) -> bool:
        """Whether the candidate may go on."""
        return not self.reasons
