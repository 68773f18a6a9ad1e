"""A Maildir: the inbox itself, and the folders Drafts and Sent in it. Any mail program reads it as well."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from mailbox import Maildir, MaildirMessage
from pathlib import Path
from threading import Lock, RLock

from examples.inbox.ports import Mail
from examples.inbox.reading import MAX_BYTES, name_of, read

SEEN = "S"
"""The flag of a mail that was read."""


class MaildirMailbox:
    """A mailbox in a folder. Received mail is never written anew: what its sender signed stays as it came."""

    def __init__(self, root: Path) -> None:
        self._root, self._drafts = root, Maildir(root).add_folder("Drafts")
        self._lock = RLock()  # a Maildir remembers what it has listed, and is no place for two threads
        self._names: dict[str, str] = {}
        """What a mail is called, by its file: a file of a Maildir never gets another content."""

    def unread(self) -> list[Mail]:
        """Mail without the flag S, the oldest first."""
        fresh = [_content(file) for file in self._files() if SEEN not in _flags(file)]
        found = [read(content) for content in fresh if content]
        return sorted(found, key=lambda mail: (mail["date"], mail["id"]))

    def get(self, mail_id: str) -> Mail | None:
        """One mail; `None` when there is none."""
        found = (_content(file) for file in self._files() if self._name(file) == mail_id)
        return next((read(content) for content in found if content), None)

    def mark_read(self, mail_ids: Iterable[str]) -> None:
        """Set the flag S, which stands in a file's name."""
        wanted = set(mail_ids)
        for file in self._files():
            if SEEN not in _flags(file) and self._name(file) in wanted:
                flags = "".join(sorted({*_flags(file), SEEN}))
                with suppress(FileNotFoundError):  # another program was quicker
                    file.rename(self._root / "cur" / f"{_unique(file)}:2,{flags}")

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

    def _files(self) -> Iterator[Path]:
        """Every received mail."""
        for folder in ("new", "cur"):
            yield from sorted(file for file in (self._root / folder).iterdir() if not file.name.startswith("."))

    def _name(self, file: Path) -> str:
        """What a mail is called; empty when it is not there any more."""
        unique = _unique(file)
        if unique not in self._names and (content := _content(file)):
            self._names[unique] = name_of(content)
        return self._names.get(unique, "")


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


def _content(file: Path) -> bytes:
    """The beginning of a mail; empty when another program has moved it meanwhile."""
    try:
        with file.open("rb") as stream:
            return stream.read(MAX_BYTES)
    except FileNotFoundError:
        return b""


def _unique(file: Path) -> str:
    return file.name.partition(":")[0]


def _flags(file: Path) -> str:
    return file.name.partition(":2,")[2]


def _keys_of(folder: Maildir, message_id: str) -> list[str]:
    """The files of a folder with that Message-ID. Of their content nothing else is parsed."""
    parser = BytesHeaderParser()
    return [key for key in folder.keys() if parser.parsebytes(folder.get_bytes(key))["Message-ID"] == message_id]  # noqa: SIM118
