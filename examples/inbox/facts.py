"""The facts that a draft is judged by, looked up at one moment; and the name of a draft."""

import json
from hashlib import sha256

from examples.inbox.gates import Facts
from examples.inbox.ports import Draft
from examples.inbox.slots import free_starts, is_moment, over_at
from examples.inbox.state import InboxContext


def facts_of(draft: Draft, context: InboxContext) -> Facts:
    """What is true now. What the draft itself holds in the calendar does not stand in its way."""
    mail, rules = context.mailbox.get(draft["mail_id"]), context.preferences.rules
    start = draft["meeting"] if is_moment(draft["meeting"]) else ""
    planned = [event for event in context.calendar.events(start[:10]) if event["id"] != draft["id"]] if start else []
    return Facts(
        contacts={one["address"].lower(): one["name"] for one in context.book.contacts()},
        people=mail["people"] if mail else [],
        written=mail["date"] if mail else "",
        free=free_starts(start[:10], planned, rules),
        over=over_at(start, rules) if start else "",
    )


def draft_id(run: str, draft: Draft) -> str:
    """The same for the same draft of a run, so that one that is made twice is one."""
    return f"draft-{sha256(json.dumps([run, draft]).encode()).hexdigest()[:6]}"
