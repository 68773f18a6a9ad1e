"""A draft as a mail that can be sent."""

from email.message import EmailMessage
from email.utils import formataddr, localtime

from examples.inbox.ports import Contact, Draft, Mail


def message_id_of(draft_id: str) -> str:
    """The same for a draft whenever it is asked for, so that a mail can be found again where it went."""
    return f"<{draft_id}@selfheal.invalid>"


def compose(draft: Draft, owner: Contact, answered: Mail | None) -> EmailMessage:
    """The mail, in the thread of the one that it answers. Raises `ValueError` for headers that no gate lets through."""
    message = EmailMessage()
    message["From"] = formataddr((owner["name"], owner["address"]))
    message["To"] = draft["to"]
    message["Subject"] = draft["subject"]
    message["Date"] = localtime()
    message["Message-ID"] = message_id_of(draft["id"])
    if answered and answered["message_id"]:
        message["In-Reply-To"] = message["References"] = answered["message_id"]
    message.set_content(draft["body"])
    return message
