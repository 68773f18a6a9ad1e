"""When the owner is free, and by which rules: computed, not left to a model's arithmetic. Plain Python, no clock."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from examples.inbox.ports import Event

STEP = timedelta(minutes=30)
"""From one possible beginning to the next."""
MINUTE = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True)
class Rules:
    """When the owner meets, and for how long."""

    minutes: int = 30
    """How long a meeting is."""
    earliest: str = "09:00"
    """When the first may begin."""
    latest: str = "17:00"
    """When the last must be over."""


_HOUR = r"(\d{1,2})(?::(\d{2}))?\s*(am|pm|o'clock)?\b"
_MINUTES = re.compile(r"\b(\d{1,3})[\s-]*min", re.IGNORECASE)
_EARLIEST = re.compile(rf"\b(?:none|not|nothing|no\s+meetings?|never)\s+before\s+{_HOUR}", re.IGNORECASE)
_LATEST = re.compile(rf"\b(?:none|not|nothing|no\s+meetings?|never)\s+after\s+{_HOUR}", re.IGNORECASE)


def rules_of(texts: Iterable[str]) -> Rules:
    """The rules that preferences hold, such as "25-minute meetings, none before 10"; of two that differ the later."""
    rules = Rules()
    for text in texts:
        if (length := _MINUTES.search(text)) and 5 <= int(length[1]) <= 240:
            rules = replace(rules, minutes=int(length[1]))
        if earliest := _hour(_EARLIEST.search(text)):
            rules = replace(rules, earliest=earliest)
        if latest := _hour(_LATEST.search(text)):
            rules = replace(rules, latest=latest)
    return rules


def _hour(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    hour, minute = int(found[1]), int(found[2] or 0)
    afternoon = (found[3] or "").lower()
    if afternoon in ("am", "pm"):
        hour = hour % 12 + 12 * (afternoon == "pm")
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else ""


def free_starts(day: str, events: Sequence[Event], rules: Rules) -> list[str]:
    """When a meeting may begin on a day (YYYY-MM-DD); nothing on a weekend, and for what is no day."""
    return list(_free(day, events, rules)) if is_day(day) else []


def _free(day: str, events: Sequence[Event], rules: Rules) -> Iterator[str]:
    length = timedelta(minutes=rules.minutes)
    start, end = moment(f"{day}T{rules.earliest}"), moment(f"{day}T{rules.latest}")
    busy = [(moment(event["start"]), moment(event["end"])) for event in events]
    while start.weekday() < 5 and start + length <= end:
        if all(start + length <= begins or ends <= start for begins, ends in busy):
            yield start.strftime(MINUTE)
        start += STEP


def over_at(start: str, rules: Rules) -> str:
    """When a meeting is over that begins then."""
    return (moment(start) + timedelta(minutes=rules.minutes)).strftime(MINUTE)


def moment(text: str) -> datetime:
    """A point in time as it is written here. Raises `ValueError`."""
    return datetime.strptime(text, MINUTE)


def is_day(text: str) -> bool:
    """Whether it is a day that exists, written as YYYY-MM-DD."""
    return is_moment(f"{text}T00:00")


def is_moment(text: str) -> bool:
    """Whether it is a point in time, written as YYYY-MM-DDTHH:MM."""
    try:
        return moment(text).strftime(MINUTE) == text
    except ValueError:
        return False
