"""Sending once: by a key, wherever a process dies."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from examples.inbox.compose import compose
from examples.inbox.outbox import Outbox
from examples.inbox.ports import Contact, Draft
from src.errors import ConfigurationError

OWNER = Contact(name="Robin", address="robin@vale.example")
MAIL = compose(Draft(id="d1", mail_id="m", to="b@l.example", subject="s", body="b", meeting=""), OWNER, None)


class Post:
    """A transport that dies before or after a mail is on its way, when it is told so."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.dies = ""

    def deliver(self, message: EmailMessage) -> None:
        if self.dies == "before":
            raise KeyboardInterrupt
        self.out.append(message["Message-ID"])
        if self.dies == "after":
            raise KeyboardInterrupt

    def delivered(self, message_id: str) -> bool:
        return message_id in self.out


@pytest.fixture
def post() -> Post:
    return Post()


def test_the_same_key_sends_once(tmp_path: Path, post: Post) -> None:
    outbox = Outbox(tmp_path / "outbox.sqlite", post)
    assert not outbox.begun("d1")
    assert [outbox.send("d1", MAIL), outbox.send("d1", MAIL), outbox.send("d2", MAIL)] == [True, False, True]
    assert [entry.state for entry in outbox.entries()] == ["sent", "sent"]
    assert len(post.out) == 2


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_process_that_dies_while_sending_has_it_sent_once(tmp_path: Path, post: Post, dies: str) -> None:
    post.dies = dies
    with pytest.raises(KeyboardInterrupt):
        Outbox(tmp_path / "outbox.sqlite", post).send("d1", MAIL)
    outbox = Outbox(tmp_path / "outbox.sqlite", post)
    assert (outbox.begun("d1"), outbox.sent("d1")) == (True, False)

    post.dies = ""
    assert outbox.send("d1", MAIL) == (dies == "before")
    assert outbox.sent("d1")
    assert len(post.out) == 1


def test_while_one_sends_another_waits(tmp_path: Path) -> None:
    class Nosy(Post):
        def deliver(self, message: EmailMessage) -> None:
            with pytest.raises(Timeout):
                FileLock(tmp_path / "outbox.lock", timeout=0).acquire()
            super().deliver(message)

    post = Nosy()
    assert Outbox(tmp_path / "outbox.sqlite", post).send("d1", MAIL)
    assert len(post.out) == 1


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, post: Post) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="outbox"):
        Outbox(tmp_path / "file" / "outbox.sqlite", post)
