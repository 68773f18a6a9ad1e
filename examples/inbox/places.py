"""Where things lie, and who stands behind each interface. To put a real mailbox in, `context_of` is the place."""

from pathlib import Path

from examples.inbox.books import JsonBook, JsonCalendar
from examples.inbox.maildir import MaildirMailbox, SentFolder
from examples.inbox.outbox import Outbox
from examples.inbox.preferences import Preferences
from examples.inbox.sample import lay_out
from examples.inbox.state import InboxContext
from src.config import Settings
from src.errors import ConfigurationError
from src.models.assistants import Assistants
from src.runs.database import Address, Database

SCRIPT = Path(__file__).with_name("script.jsonl")
"""Replies of the models, written by hand."""
PROGRAM = "examples.inbox"
"""The module that the assistant is started by."""


def address_of(settings: Settings) -> Address:
    """The database of runs and preferences: `inbox.sqlite` beside RUNS_PATH, or RUNS_URL."""
    url, key = settings.runs_url, settings.runs_key
    path = settings.runs_path.with_name("inbox.sqlite")
    return Address(path, url.get_secret_value() if url else None, key.get_secret_value() if key else None)


def folder_of(settings: Settings) -> Path:
    """The folder of the mailbox, beside RUNS_PATH; the sample where none is. Raises `ConfigurationError`."""
    folder = settings.runs_path.with_name("inbox")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lay_out(folder)
    except OSError as error:
        raise ConfigurationError(
            f"The mailbox {folder} cannot be used: {error.strerror}.", "Set RUNS_PATH to a file in another folder."
        ) from None
    return folder


def preferences_of(settings: Settings, database: Database) -> Preferences:
    """The preferences of whoever owns the mailbox."""
    owner = JsonBook(folder_of(settings) / "contacts.json").owner()
    return Preferences(database.store, database.vault, owner["address"])


def context_of(settings: Settings, database: Database, assistants: Assistants) -> InboxContext:
    """Everything that nodes use: local files behind the interfaces in `ports.py`."""
    folder = folder_of(settings)
    return InboxContext(
        chat=assistants.chat,
        mailbox=MaildirMailbox(folder / "mail"),
        book=JsonBook(folder / "contacts.json"),
        calendar=JsonCalendar(folder / "calendar.json"),
        outbox=Outbox(folder / "outbox.sqlite", SentFolder(folder / "mail")),
        preferences=preferences_of(settings, database),
    )
