"""Lines of the audit trail: who was refused, corrected, escalated or overruled, by what, and why."""

from collections.abc import Iterable
from datetime import UTC, datetime

from src.state import AuditEntry


def audit_entry(place: str, *, role: str, gate: str, reasons: Iterable[str], action: str) -> AuditEntry:
    """An entry that is stamped now.

    `place`: tells the step apart from all others of the run and is the same when that step is done again after a
    crash, so that the trail does not tell it twice (`debugger-2-1`, say).
    """
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return AuditEntry(id=place, when=when, role=role, gate=gate, reason="; ".join(reasons), action=action)
