"""A mailbox of the test's own, made from the sample, and an assistant that answers from a script."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from mailbox import Maildir, MaildirMessage
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from examples.inbox.books import JsonBook, JsonCalendar
from examples.inbox.maildir import MaildirMailbox, SentFolder
from examples.inbox.outbox import Outbox
from examples.inbox.preferences import Preferences
from examples.inbox.sample import lay_out
from examples.inbox.state import InboxContext
from examples.inbox.work import Saved, Work
from src.approvals import Approval, Decision
from src.models.scripted import ScriptedCall, ScriptedChat, ScriptedReply, load_script
from src.runs.database import Address
from src.runs.watching import NodeDone

SCRIPT = Path(__file__).parents[3] / "examples" / "inbox" / "script.jsonl"


def says(when: str, reply: str, who: str = "assistant") -> ScriptedReply:
    """A reply in words, when `when` was said last."""
    return ScriptedReply(who=who, when=when, reply=reply)


def calls(when: str, *tools: tuple[str, dict[str, Any]], who: str = "assistant") -> ScriptedReply:
    """A reply that calls tools."""
    return ScriptedReply(
        who=who, when=when, tool_calls=tuple(ScriptedCall(name=name, args=args) for name, args in tools)
    )


class Post(SentFolder):
    """The transport; it dies as it is told to."""

    dies = ""

    def deliver(self, message: EmailMessage) -> None:
        if self.dies == "before":
            raise ConnectionError("before it was on its way")
        super().deliver(message)
        if self.dies == "after":
            raise ConnectionError("after it was on its way")


class Office:
    """The assistant's runs over one mailbox, carried on from one process to the next."""

    def __init__(self, folder: Path, chat: Callable[[str], BaseChatModel]) -> None:
        self.folder, self.chat = folder, chat
        self.post = Post(folder / "mail")
        self.steps: list[NodeDone] = []
        self._stack = ExitStack()
        self.again()

    def again(self) -> None:
        """Let go of everything, as a process that ends does, and open it anew."""
        self._stack.close()
        database = self._stack.enter_context(Address(self.folder / "runs.sqlite").open())
        book = JsonBook(self.folder / "contacts.json")
        self.preferences = Preferences(database.store, database.vault, book.owner()["address"])
        self.context = InboxContext(
            self.chat,
            MaildirMailbox(self.folder / "mail"),
            book,
            JsonCalendar(self.folder / "calendar.json"),
            Outbox(self.folder / "outbox.sqlite", self.post),
            self.preferences,
        )
        self.work = Work(database, self.steps.append, self.context)

    def close(self) -> None:
        self._stack.close()

    def begin(self) -> None:
        self.work.begin([mail["id"] for mail in self.context.mailbox.unread()], replay=True)

    @property
    def saved(self) -> Saved:
        saved = self.work.latest()
        assert saved is not None
        return saved

    @property
    def waiting(self) -> list[Approval]:
        return [one.approval for one in self.saved.waiting]

    def decide(self, draft: str, decision: str, notes: str = "", **texts: str) -> None:
        self.work.decide(draft, Decision(decision=decision, notes=notes, texts=texts))

    def mails(self, folder: str) -> list[MaildirMessage]:
        """What lies in a folder of the mailbox."""
        return list(Maildir(self.folder / "mail").get_folder(folder))

    @property
    def sent(self) -> list[str]:
        """Whom mail went to."""
        return sorted(str(message["To"]) for message in self.mails("Sent"))

    @property
    def outcomes(self) -> dict[str, str]:
        return {one["to"]: one["standing"] for one in self.saved.state.get("outcomes", [])}


@pytest.fixture(autouse=True)
def _no_foreign_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and settings of whoever runs the tests are out of reach."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL", "_MODEL", "_LEVEL")) or name.startswith("RUNS_"):
            monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the sample mailbox."""
    place = tmp_path / "inbox"
    place.mkdir()
    lay_out(place)
    return place


@pytest.fixture
def office(folder: Path) -> Iterator[Callable[..., Office]]:
    """`office()`: the scripted assistant; `office(*replies)`: with replies of the test's; `office(chat=…)`: another."""
    with ExitStack() as stack:

        def open_office(*replies: ScriptedReply, chat: Any = None) -> Office:
            lines = replies or load_script(SCRIPT)
            opened = Office(folder, chat or (lambda who: ScriptedChat(who=who, replies=lines)))
            stack.callback(opened.close)
            return opened

        yield open_office
