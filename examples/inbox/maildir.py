"""Mail in a Maildir: the inbox itself, and the folders Drafts and Sent in it. Parsed by the standard library.

What comes out is bounded and harmless for a terminal: headers are foreign text as the body is.
"""

import re
from collections.abc import Iterable
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256
from html.parser import HTMLParser
from mailbox import Maildir, MaildirMessage
from pathlib import Path
from threading import Lock, RLock

from examples.inbox.gates import is_address
from examples.inbox.ports import Mail
from examples.inbox.slots import MINUTE
from src.text import clean, one_line

MAX_BODY = 4_000
"""Characters of a mail's text that are read."""
MAX_PEOPLE = 50
"""Addresses of a mail that are read."""
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,200}>")


class MaildirMailbox:
    """A mailbox in a folder."""

    def __init__(self, root: Path) -> None:
        self._inbox = Maildir(root)
        self._drafts = self._inbox.add_folder("Drafts")
        self._lock = RLock()  # a Maildir remembers what it has listed, and is no place for two threads

    def unread(self) -> list[Mail]:
        """Mail without the flag S, the oldest first."""
        found = [read(message) for _, message in self._all() if "S" not in message.get_flags()]
        return sorted(found, key=lambda mail: (mail["date"], mail["id"]))

    def get(self, mail_id: str) -> Mail | None:
        """One mail; `None` when there is none."""
        return next((mail for _, message in self._all() if (mail := read(message))["id"] == mail_id), None)

    def mark_read(self, mail_ids: Iterable[str]) -> None:
        """Set the flag S."""
        wanted = set(mail_ids)
        for key, message in self._all():
            if read(message)["id"] in wanted:
                message.add_flag("S")
                message.set_subdir("cur")
                with self._lock:
                    self._inbox[key] = message

    def keep_draft(self, message: EmailMessage) -> None:
        """Put a draft into the folder Drafts, in place of one with the same Message-ID."""
        flagged = MaildirMessage(message)
        flagged.add_flag("D")
        with self._lock:
            self.drop_draft(message["Message-ID"])
            self._drafts.add(flagged)

    def drop_draft(self, message_id: str) -> None:
        """Take a draft away, if it is there."""
        with self._lock:
            for key in _keys_of(self._drafts, message_id):
                self._drafts.discard(key)

    def _all(self) -> list[tuple[str, MaildirMessage]]:
        with self._lock:
            return list(self._inbox.items())


class SentFolder:
    """A transport that leads no further than a folder of the mailbox. A real one hands the mail to a server as well."""

    def __init__(self, root: Path) -> None:
        self._sent = Maildir(root).add_folder("Sent")
        self._lock = Lock()

    def deliver(self, message: EmailMessage) -> None:
        """Put it into the folder Sent."""
        flagged = MaildirMessage(message)
        flagged.set_subdir("cur")
        flagged.add_flag("S")
        with self._lock:
            self._sent.add(flagged)

    def delivered(self, message_id: str) -> bool:
        """Whether it is there."""
        with self._lock:
            return bool(_keys_of(self._sent, message_id))


def read(message: MaildirMessage) -> Mail:
    """A mail as plain data, whatever its sender made of it."""
    content = message.as_bytes()
    name = sha256(content).hexdigest()[:8]  # not of its Message-ID, which its sender chooses
    try:
        return _read(message_from_bytes(content, policy=policy.default), name)
    except Exception:  # noqa: BLE001  # the parser raises many kinds over hostile headers; the other mail is still read
        told = "(this mail cannot be read)"
        return Mail(id=name, message_id="", sender="", people=[], subject=told, date="", body=told)


def _read(message: EmailMessage, name: str) -> Mail:
    found = _MESSAGE_ID.fullmatch(str(message["Message-ID"] or "").strip())
    sender = _addresses(message, "From")
    return Mail(
        id=name,
        message_id=found[0] if found else "",
        sender=next(iter(sender), ""),
        people=list(dict.fromkeys([*sender, *_addresses(message, "To"), *_addresses(message, "Cc")]))[:MAX_PEOPLE],
        subject=one_line(str(message["Subject"] or "")) or "(no subject)",
        date=_moment(str(message["Date"] or "")),
        body=clean(_text(message)[: 2 * MAX_BODY])[:MAX_BODY],
    )


def _addresses(message: EmailMessage, header: str) -> list[str]:
    """The addresses in a header; what is none is left out."""
    pairs = getaddresses([str(value) for value in message.get_all(header, [])])
    return [address.lower() for _, address in pairs if is_address(address)]


def _moment(written: str) -> str:
    try:
        return parsedate_to_datetime(written).strftime(MINUTE)
    except ValueError:
        return ""


def _text(message: EmailMessage) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return "(no text)"
    text = str(part.get_content())
    return text if part.get_content_subtype() == "plain" else _Words.of(text)


class _Words(HTMLParser):
    """What a page says, without what is hidden in its head."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._hidden = 0

    @classmethod
    def of(cls, page: str) -> str:
        parser = cls()
        parser.feed(page[: 20 * MAX_BODY])
        return " ".join(" ".join(parser.words).split())

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self._hidden += tag in ("style", "script", "title")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script", "title") and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


def _keys_of(folder: Maildir, message_id: str) -> list[str]:
    return [key for key, message in folder.items() if message["Message-ID"] == message_id]
