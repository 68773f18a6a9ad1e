"""What the model can do: read, and propose drafts. None of it acts on the world, so none needs a person.

There is no tool that sends, and none that writes a preference: a model that was fooled cannot call what is not there.
"""

from typing import Annotated

from langchain_core.tools import BaseTool, ToolException, tool
from pydantic import Field

from examples.inbox.facts import draft_id
from examples.inbox.ports import Draft
from examples.inbox.prompts import as_data
from examples.inbox.slots import free_starts
from examples.inbox.state import InboxContext, InboxState
from src.prompts import fenced

MAX_DRAFTS = 20
"""Drafts of a run at most."""

Bounded = Annotated[str, Field(max_length=10_000)]


def tools_of(context: InboxContext, state: InboxState, made: list[Draft]) -> list[BaseTool]:
    """The tools of one round. What is drafted is put into `made`."""
    return [*_mail_tools(context, state), *_calendar_tools(context), _draft_tool(context, state, made)]


def _mail_tools(context: InboxContext, state: InboxState) -> list[BaseTool]:
    @tool
    def list_unread() -> str:
        """The unread mail: name, date, sender and subject of each."""
        found = [mail for mail in map(context.mailbox.get, state["unread"]) if mail]
        lines = [f"{mail['id']}  {mail['date']}  {mail['sender']}  {mail['subject']}" for mail in found]
        return f"{len(lines)} unread:\n" + fenced("\n".join(lines))

    @tool
    def read_mail(mail_id: str) -> str:
        """One mail, by its name."""
        mail = context.mailbox.get(mail_id)
        if mail is None:
            raise ToolException(f"There is no mail {mail_id[:40]!r}.")
        return as_data(mail)

    @tool
    def contacts() -> str:
        """Everybody whom the owner knows, with their addresses."""
        return fenced("\n".join(f"{one['name']} <{one['address']}>" for one in context.book.contacts()))

    return [list_unread, read_mail, contacts]


def _calendar_tools(context: InboxContext) -> list[BaseTool]:
    @tool
    def events(day: str) -> str:
        """What is planned on a day (YYYY-MM-DD)."""
        lines = [f"{one['start'][11:]}-{one['end'][11:]}  {one['title']}" for one in context.calendar.events(day)]
        return f"Planned on {day[:10]}:\n" + fenced("\n".join(lines) or "nothing")

    @tool
    def free_slots(day: str) -> str:
        """When a meeting may begin on a day (YYYY-MM-DD). Its length and the owner's hours are seen to."""
        rules = context.preferences.rules
        free = [start[11:] for start in free_starts(day, context.calendar.events(day), rules)]
        return f"Free on {day[:10]}, {rules.minutes} minutes each: {', '.join(free) or 'nothing'}."

    return [events, free_slots]


def _draft_tool(context: InboxContext, state: InboxState, made: list[Draft]) -> BaseTool:
    @tool
    def draft(mail_id: str, to: Bounded, subject: Bounded, body: Bounded, meeting: Bounded = "") -> str:
        """Draft an answer to a mail. `meeting`: when a meeting that it proposes begins, as YYYY-MM-DDTHH:MM."""
        if context.mailbox.get(mail_id) is None:
            raise ToolException(f"There is no mail {mail_id[:40]!r}.")
        if len(state.get("drafts", [])) + len(made) >= MAX_DRAFTS:
            raise ToolException(f"{MAX_DRAFTS} drafts are enough for one run.")
        written = Draft(id="", mail_id=mail_id, to=to.strip(), subject=subject, body=body, meeting=meeting.strip())
        written["id"] = draft_id(state["run"], written)
        made.append(written)
        return f"{written['id']} is put to the owner. It is not sent."

    return draft
