"""The local mailbox: read with care, drafts and sent mail in folders of their own."""

from mailbox import Maildir
from pathlib import Path

import pytest

from examples.inbox.books import JsonBook, JsonCalendar
from examples.inbox.compose import compose, message_id_of
from examples.inbox.maildir import MaildirMailbox, SentFolder
from examples.inbox.ports import Draft, Event
from examples.inbox.reading import MAX_BODY, MAX_HEADER, read
from examples.inbox.sample import lay_out
from src.errors import ConfigurationError

DRAFT = Draft(id="d1", mail_id="m", to="bea@lind.example", subject="Re: The offer", body="At 10:30.", meeting="")


def subjects(folder: Path) -> list[str]:
    return [mail["subject"] for mail in MaildirMailbox(folder / "mail").unread()]


def test_unread_mail_comes_in_order_and_what_was_read_is_left_out(folder: Path) -> None:
    assert subjects(folder) == ["The offer", "Invoice 4711 over € 380", "Urgent: mailbox audit", "Lunch on the 8th"]
    lay_out(folder)
    assert len(subjects(folder)) == 4, "a mailbox that is there is left as it is"


def test_a_mail_is_read_by_its_name_and_marked_once_it_is_dealt_with(folder: Path) -> None:
    box = MaildirMailbox(folder / "mail")
    offer = box.unread()[0]
    assert box.get(offer["id"]) == offer
    for _ in range(2):
        box.mark_read([offer["id"], "unknown"])
        assert "The offer" not in subjects(folder)
    assert box.get(offer["id"]) == offer
    assert box.get("unknown") is None


@pytest.mark.parametrize(
    ("raw", "field", "shown"),
    [
        (b"Subject: a\x1b[31m\xe2\x80\xaeb\n\nx", "subject", "ab"),
        (b"From: Eve <EVE@Else.example>\nSubject: a\n\nx", "people", ["eve@else.example"]),
        (b"From: nobody at all\nDate: soon\n\nx", "people", []),
        (b"Date: soon\n\nx", "date", ""),
        (b"Message-ID: <a b>\n\nx", "message_id", ""),
        (b"Content-Type: text/plain; charset=klingon\n\nx", "subject", "(this mail cannot be read)"),
        (b"Content-Type: text/html\n\n<title>t</title><p>Hello <b>you</b><script>x</script>", "body", "Hello you"),
        (b"Content-Type: application/pdf\n\nx", "body", "(no text)"),
        (b"\n" + b"x" * 9000, "body", "x" * MAX_BODY),
        (b"\na\x1b]0;title\x07b", "body", "ab"),
        (b"From: bea@lind.example\nFrom: eve@else.example\n\nx", "sender", "bea@lind.example"),
        (b"Content-Type: multipart/mixed\n\n--q\nContent-Type: a\xff/b\n\nx", "subject", "(no subject)"),
        (b"Content-Type: message/rfc822\n\n" * 2000, "subject", "(this mail cannot be read)"),
        (b"Date: Mon, 30 Nov 99999999999999999999 09:12:00\n\nx", "subject", "(this mail cannot be read)"),
    ],
)
def test_whatever_its_sender_made_of_it_a_mail_is_bounded_and_harmless(raw: bytes, field: str, shown: object) -> None:
    mail: dict[str, object] = {**read(raw)}
    value = mail[field]
    assert (value.replace("\ufffd", "") if isinstance(value, str) else value) == shown


def test_of_a_header_the_beginning_alone_is_parsed_for_the_parsers_take_minutes_over_long_ones() -> None:
    crowd = ", ".join(["bea@lind.example"] * MAX_HEADER)
    assert read(f"To: {crowd}, eve@else.example\n\nx".encode())["people"] == ["bea@lind.example"]
    part = "--q\nContent-Type: text/plain; " + "a=b; " * MAX_HEADER + "charset=klingon\n\nhello"
    assert read(f"Content-Type: multipart/mixed; boundary=q\n\n{part}".encode())["body"] == "hello"


def test_a_mail_stays_as_it_came_when_it_is_marked(folder: Path) -> None:
    raw = b"Subject: signed\nDKIM-Signature: v=1;\n  b=x\n\nbody \xff without an end"
    (folder / "mail" / "new" / "signed").write_bytes(raw)
    box = MaildirMailbox(folder / "mail")
    (name,) = (mail["id"] for mail in box.unread() if mail["subject"] == "signed")
    box.mark_read([name])
    assert (folder / "mail" / "cur" / "signed:2,S").read_bytes() == raw


def test_what_another_program_takes_away_meanwhile_is_passed_over(folder: Path) -> None:
    box = MaildirMailbox(folder / "mail")
    offer = box.unread()[0]
    (gone,) = (file for file in (folder / "mail" / "new").iterdir() if "The offer" in file.read_text())
    (folder / "mail" / "new" / "nowhere").symlink_to(gone)
    gone.rename(folder / "offer.eml")
    assert box.get(offer["id"]) is None
    assert len(box.unread()) == 3


def test_two_mails_that_claim_the_same_message_id_are_two() -> None:
    first, second = (read(b"Message-ID: <a@b.example>\n\n" + text) for text in (b"x", b"y"))
    assert first["id"] != second["id"]


def test_a_draft_lies_in_its_folder_once_until_it_is_dropped(folder: Path) -> None:
    box, drafts = MaildirMailbox(folder / "mail"), Maildir(folder / "mail").get_folder("Drafts")
    owner = JsonBook(folder / "contacts.json").owner()
    for body in ("first", "second"):
        box.keep_draft(compose({**DRAFT, "body": body}, owner, None))
    assert [str(message.get_payload()) for message in drafts] == ["second\n"]
    box.drop_draft(message_id_of("d1"))
    box.drop_draft(message_id_of("d1"))
    assert len(drafts) == 0


def test_what_is_sent_lies_in_its_folder_in_the_thread_of_what_it_answers(folder: Path) -> None:
    offer = MaildirMailbox(folder / "mail").unread()[0]
    transport = SentFolder(folder / "mail")
    assert not transport.delivered(message_id_of("d1"))
    transport.deliver(compose(DRAFT, JsonBook(folder / "contacts.json").owner(), offer))
    assert transport.delivered(message_id_of("d1"))
    (sent,) = Maildir(folder / "mail").get_folder("Sent")
    assert (sent["From"], sent["To"]) == ("Robin Vale <robin@vale.example>", "bea@lind.example")
    assert sent["In-Reply-To"] == "<offer-1@lind.example>"


def test_the_calendar_holds_an_event_once(folder: Path) -> None:
    calendar = JsonCalendar(folder / "calendar.json")
    for title in ("first", "again"):
        calendar.hold(Event(id="d1", title=title, start="2026-12-08T09:00", end="2026-12-08T09:30"))
    assert [event["title"] for event in calendar.events("2026-12-08")][:2] == ["first", "Stand-up"]
    assert calendar.events("2026-12-09") == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[", "cannot be read"),
        ('[{"id": "a"}]', "lacks end, start, title"),
        ('[{"id": "a", "title": "t", "start": "soon", "end": "2026-12-08T09:30"}]', "no times"),
    ],
)
def test_a_calendar_that_cannot_be_read_is_named(tmp_path: Path, content: str, told: str) -> None:
    file = tmp_path / "calendar.json"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match=told):
        JsonCalendar(file)


def test_an_address_book_names_its_owner(folder: Path, tmp_path: Path) -> None:
    assert JsonBook(folder / "contacts.json").owner()["name"] == "Robin Vale"
    (tmp_path / "empty.json").write_text("[]")
    with pytest.raises(ConfigurationError, match="names nobody"):
        JsonBook(tmp_path / "empty.json")
