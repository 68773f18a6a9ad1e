"""What the assistant works on, as plain data, and what a mailbox, an address book and a calendar must be able to do.

A real one is put in place of the local files by a class with these methods; nothing else knows where mail comes from.
"""

from collections.abc import Iterable
from email.message import EmailMessage
from typing import Protocol, TypedDict


class Mail(TypedDict):
    """A mail as it was received. Every text in it was written by somebody else."""

    id: str
    """Short and the same in every process."""
    message_id: str
    """Its Message-ID; empty when it has none that an answer could name."""
    sender: str
    """Address of who wrote it, in small letters."""
    people: list[str]
    """Addresses of all who wrote or received it, in small letters."""
    subject: str
    """Its subject, in one harmless line."""
    date: str
    """When it says that it was written, as YYYY-MM-DDTHH:MM; empty when it does not."""
    body: str
    """Its text, harmless for a terminal and bounded."""


class Contact(TypedDict):
    """Somebody whom the owner knows."""

    name: str
    """Their name."""
    address: str
    """Their address."""


class Event(TypedDict):
    """Something in the calendar. Times are local, as YYYY-MM-DDTHH:MM."""

    id: str
    """Tells it apart from all others."""
    title: str
    """What it is."""
    start: str
    """When it begins."""
    end: str
    """When it is over."""


class Draft(TypedDict):
    """A mail that might be sent."""

    id: str
    """Names it to people; the key that it is sent under, once."""
    mail_id: str
    """The mail that it answers."""
    to: str
    """Address that it goes to."""
    subject: str
    """Its subject."""
    body: str
    """Its text."""
    meeting: str
    """When a meeting that it proposes begins, as YYYY-MM-DDTHH:MM; empty when it proposes none."""


class Mailbox(Protocol):
    """Mail that was received, and drafts. Nothing here leaves the house."""

    def unread(self) -> list[Mail]:
        """Mail that nobody has dealt with, the oldest first."""

    def get(self, mail_id: str) -> Mail | None:
        """One mail; `None` when there is none."""

    def mark_read(self, mail_ids: Iterable[str]) -> None:
        """Somebody has dealt with them. Doing it again changes nothing."""

    def keep_draft(self, message: EmailMessage) -> None:
        """Put a draft where drafts lie, in place of one with the same Message-ID."""

    def drop_draft(self, message_id: str) -> None:
        """Take it away, if it is there."""


class Transport(Protocol):
    """What takes a mail to its recipient."""

    def deliver(self, message: EmailMessage) -> None:
        """Send it. It is called once for a Message-ID, unless a process died in this call."""

    def delivered(self, message_id: str) -> bool:
        """Whether it was sent, as far as the other side knows; asked after a process died in `deliver`."""


class AddressBook(Protocol):
    """Who is known."""

    def owner(self) -> Contact:
        """Whose mail it is."""

    def contacts(self) -> list[Contact]:
        """Everybody whom the owner knows."""


class Calendar(Protocol):
    """What is planned."""

    def events(self, day: str) -> list[Event]:
        """What lies on a day (YYYY-MM-DD), in order."""

    def hold(self, event: Event) -> None:
        """Put it in, unless one with its `id` is there."""
