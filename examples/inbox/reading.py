"""A received mail as plain data, whatever its sender made of it: bounded in size and time, harmless for a terminal.

Parsed by the standard library, whose parsers take seconds over headers that are made for that, and raise errors of many
kinds; so what they are given is bounded, and a mail that they cannot read is still listed.
"""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

from examples.inbox.gates import is_address
from examples.inbox.ports import Mail
from examples.inbox.slots import MINUTE
from src.text import clean, one_line

MAX_BYTES = 256 * 1024
"""Bytes of a mail that are read; its text stands before what is attached."""
MAX_HEADER = 2_000
"""Characters of a header that are read."""
MAX_BODY = 4_000
"""Characters of a mail's text that are read."""
MAX_PEOPLE = 50
"""Addresses of a mail that are read."""
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,200}>")


class _Bounded(EmailPolicy):
    """Cuts every header, those of parts too, before it is parsed."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Name and value of a header."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER]


_POLICY: Any = _Bounded()


def read(content: bytes) -> Mail:
    """A mail as plain data. `content`: at most `MAX_BYTES` of it."""
    name = name_of(content)
    try:
        return _read(message_from_bytes(content, policy=_POLICY), name)
    except Exception:  # noqa: BLE001  # the parser raises many kinds over hostile mail; the other mail is still read
        told = "(this mail cannot be read)"
        return Mail(id=name, message_id="", sender="", people=[], subject=told, date="", body=told)


def name_of(content: bytes) -> str:
    """What a mail is called: made from all of it, not from its Message-ID, which its sender chooses."""
    return sha256(content).hexdigest()[:8]


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
    """The addresses in a header, the first of its name; what is none is left out."""
    pairs = getaddresses([str(message[header] or "")])
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
