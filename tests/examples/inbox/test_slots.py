"""Free time, and the rules for it that preferences hold."""

import pytest

from examples.inbox.ports import Event
from examples.inbox.slots import Rules, free_starts, is_moment, over_at, rules_of

DAY = "2026-12-08"
BUSY = [
    Event(id="1", title="stand-up", start=f"{DAY}T10:00", end=f"{DAY}T10:30"),
    Event(id="2", title="away", start=f"{DAY}T11:20", end=f"{DAY}T16:00"),
]


@pytest.mark.parametrize(
    ("texts", "rules"),
    [
        ([], Rules()),
        (["25-minute meetings, none before 10"], Rules(25, "10:00")),
        (["Meetings of 45 min.", "nothing after 4 pm"], Rules(45, latest="16:00")),
        (["not before 9:30", "No meetings before 11 o'clock"], Rules(earliest="11:00")),
        (["none before 12 am"], Rules(earliest="00:00")),
        (["none before 31, 900 minutes, sign with Robin"], Rules()),
    ],
)
def test_preferences_hold_rules_and_the_later_one_counts(texts: list[str], rules: Rules) -> None:
    assert rules_of(texts) == rules


@pytest.mark.parametrize(
    ("rules", "free"),
    [
        (Rules(), ["09:00", "09:30", "10:30", "16:00", "16:30"]),
        (Rules(25, "10:00"), ["10:30", "16:00", "16:30"]),
        (Rules(60), ["09:00", "16:00"]),
        (Rules(20, "11:00", "11:30"), ["11:00"]),
        (Rules(30, "17:00", "09:00"), []),
    ],
)
def test_a_meeting_fits_between_what_is_planned_and_within_the_rules(rules: Rules, free: list[str]) -> None:
    assert [start.removeprefix(f"{DAY}T") for start in free_starts(DAY, BUSY, rules)] == free


@pytest.mark.parametrize("day", ["2026-12-12", "2026-12-13", "2026-02-30", "tomorrow", "2026-12-8", ""])
def test_nobody_meets_on_a_weekend_or_on_no_day(day: str) -> None:
    assert free_starts(day, [], Rules()) == []


def test_what_lasts_over_midnight_ends_on_the_next_day() -> None:
    assert over_at(f"{DAY}T23:45", Rules(30)) == "2026-12-09T00:15"
    assert not is_moment(f"{DAY}T24:00")
