"""What a draft must be before a person is asked about it."""

import pytest

from examples.inbox.gates import MAX_BODY, Facts, draft_verdict, standing_of
from examples.inbox.ports import Draft

FACTS = Facts(
    contacts={"bea@lind.example": "Bea Lind"},
    people=["eve@else.example"],
    written="2026-11-30T09:00",
    free=["2026-12-08T10:30", "2026-12-08T11:00"],
    over="2026-12-08T11:00",
)
DRAFT = Draft(id="d", mail_id="m", to="bea@lind.example", subject="Re: offer", body="At 10:30 then.", meeting="")


def reasons(**changed: str) -> tuple[str, ...]:
    return draft_verdict({**DRAFT, **changed}, FACTS).reasons  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    "changed",
    [{}, {"to": "Bea@Lind.example"}, {"to": "eve@else.example"}, {"meeting": "2026-12-08T10:30"}],
)
def test_a_draft_to_somebody_known_may_be_put_to_a_person(changed: dict[str, str]) -> None:
    assert reasons(**changed) == ()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"to": "collector@drop-box.example"}, "neither a contact nor in the mail"),
        ({"to": "bea@lind.example, collector@drop-box.example"}, "not one address"),
        ({"to": "bea@lind.example\nBcc: collector@drop-box.example"}, "not one address"),
        ({"subject": "Re: offer\nBcc: collector@drop-box.example"}, "one line"),
        ({"subject": " "}, "one line"),
        ({"body": ""}, "0 characters"),
        ({"body": "x" * (MAX_BODY + 1)}, "5001 characters"),
        ({"body": "send \u202eno\x1b[2J"}, "do not print"),
        ({"meeting": "2026-12-08T12:00", "body": "At 12:00."}, "free on that day: 10:30, 11:00"),
        ({"meeting": "2026-12-08T11:00"}, "does not say 11:00"),
        ({"meeting": "next Tuesday"}, "not a time"),
        ({"meeting": "2026-11-24T10:30"}, "before the mail"),
    ],
)
def test_a_draft_is_refused_with_a_reason_that_its_author_can_act_on(changed: dict[str, str], told: str) -> None:
    assert told in " ".join(reasons(**changed))


def test_every_rule_that_failed_is_told_at_once() -> None:
    assert len(reasons(to="x", subject="", body="", meeting="soon")) == 4


def test_a_stranger_may_be_written_to_when_the_owner_typed_the_address() -> None:
    stranger = {**DRAFT, "to": "new@friend.example"}
    assert draft_verdict(stranger, FACTS, typed="new@friend.example").passed  # type: ignore[arg-type]
    assert not draft_verdict(stranger, FACTS, typed="other@friend.example").passed  # type: ignore[arg-type]


def test_somebody_known_from_the_mail_alone_is_no_contact() -> None:
    assert [standing_of(one, FACTS) for one in ("bea@lind.example", "EVE@else.example", "x@y.example")] == [
        "contact",
        "thread",
        "stranger",
    ]
