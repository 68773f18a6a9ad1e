"""The gate for drafts: what may be put to a person, and what may be sent. Plain Python over plain data.

It reports every rule that failed, so that one correction can mend them all.
"""

import re
from collections.abc import Iterator
from typing import Literal, TypedDict

from examples.inbox.ports import Draft
from examples.inbox.slots import is_moment
from src.gates.verdict import Verdict
from src.text import clean

MAX_SUBJECT = 200
"""Characters of a subject at most."""
MAX_BODY = 5_000
"""Characters of a text at most."""
MAX_TOLD = 12
"""Free slots that a refusal names at most."""

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")

Standing = Literal["contact", "thread", "stranger"]
"""How a recipient is known. `thread`: only from the mail that is answered. `stranger`: not at all."""


class Facts(TypedDict):
    """What a draft is judged by."""

    contacts: dict[str, str]
    """Names of those whom the owner knows, by their addresses in small letters."""
    people: list[str]
    """Addresses in the mail that is answered, in small letters."""
    written: str
    """When that was written (YYYY-MM-DDTHH:MM); empty when it does not say."""
    free: list[str]
    """When a meeting may begin on the day that is proposed."""
    over: str
    """When the meeting that is proposed is over; empty when none is."""


def draft_verdict(draft: Draft, facts: Facts, typed: str = "") -> Verdict:
    """Whether a draft may be put to a person, or sent.

    `typed`: an address that the owner has typed as recipient, who then need not be known otherwise.
    """
    return Verdict((*_recipient(draft["to"], facts, typed), *_texts(draft), *_meeting(draft, facts)))


def standing_of(address: str, facts: Facts) -> Standing:
    """How a recipient is known."""
    known = address.lower()
    if known in facts["contacts"]:
        return "contact"
    return "thread" if known in facts["people"] else "stranger"


def is_address(text: str) -> bool:
    """Whether it is one address and nothing else."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def _recipient(address: str, facts: Facts, typed: str) -> Iterator[str]:
    if not is_address(address):
        yield f"to {address[:80]!r} is not one address such as name@example.org."
    elif standing_of(address, facts) == "stranger" and address != typed:
        yield f"{address} is neither a contact nor in the mail that is answered."


def _texts(draft: Draft) -> Iterator[str]:
    subject, body = draft["subject"], draft["body"]
    if not subject.strip() or len(subject) > MAX_SUBJECT or "\n" in subject:
        yield f"The subject must be one line of 1 to {MAX_SUBJECT} characters."
    if not body.strip() or len(body) > MAX_BODY:
        yield f"The body has {len(body)} characters; it must have 1 to {MAX_BODY}."
    if clean(subject + body) != subject + body:
        yield "Subject or body hold characters that do not print."


def _meeting(draft: Draft, facts: Facts) -> Iterator[str]:
    start = draft["meeting"]
    if not start:
        return
    if not is_moment(start):
        yield f"meeting {start[:40]!r} is not a time such as 2026-12-08T10:30."
        return
    if start not in facts["free"]:
        free = ", ".join(one[11:] for one in facts["free"][:MAX_TOLD]) or "nothing"
        yield f"{start[11:]} on {start[:10]} is not a free slot; free on that day: {free}."
    if start < facts["written"]:
        yield f"The meeting at {start} would be before the mail of {facts['written']}."
    if start[11:] not in draft["body"]:
        yield f"The body does not say {start[11:]}, when the meeting begins."
