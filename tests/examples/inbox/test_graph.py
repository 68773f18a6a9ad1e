"""Runs over the unread mail: what waits, what is decided, what goes out, and when."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from examples.inbox.graph import MAX_ROUNDS
from examples.inbox.work import MAX_UNREAD
from src.errors import ConfigurationError
from src.models.scripted import ScriptedReply
from tests.examples.inbox.conftest import Office, calls, says

Make = Callable[..., Office]


def test_all_drafts_wait_at_once_and_nothing_has_left_the_house(office: Make) -> None:
    at = office()
    at.begin()
    assert [approval.texts["to"] for approval in at.waiting] == [
        "bea@lind.example",
        "accounts@printworks.example",
        "omar@vale.example",
    ]
    assert (at.sent, at.context.outbox.entries()) == ([], [])
    assert len(at.mails("Drafts")) == 3
    assert len(at.context.mailbox.unread()) == 4
    assert [event["id"] for event in at.context.calendar.events("2026-12-08")] == ["stand-up", "lunch", "planning"]


def test_each_is_decided_by_itself_in_any_order_and_by_any_process(office: Make) -> None:
    at = office()
    at.begin()
    bea, printworks, omar = (approval.about for approval in at.waiting)
    at.again()
    at.decide(omar, "approve")
    assert at.sent == ["omar@vale.example"], "it does not wait for the others"
    assert [approval.about for approval in at.waiting] == [bea, printworks]
    at.again()
    at.decide(bea, "abort")
    at.again()
    at.decide(printworks, "approve")
    assert at.saved.finished
    assert at.sent == ["accounts@printworks.example", "omar@vale.example"]
    assert at.outcomes["bea@lind.example"] == "dropped"
    assert at.mails("Drafts") == []
    assert at.context.mailbox.unread() == []
    assert [entry["action"] for entry in at.saved.state["audit"] if entry["gate"] == "person"] == [
        "dropped",
        "approved",
        "approved",
    ]


def test_a_decision_is_about_a_draft_that_waits(office: Make) -> None:
    at = office()
    with pytest.raises(ConfigurationError, match="No draft called"):
        at.decide("draft-000000", "approve")
    at.begin()
    first = at.waiting[0].about
    at.decide(first, "approve")
    with pytest.raises(ConfigurationError, match="No draft called"):
        at.decide(first, "approve")
    with pytest.raises(ConfigurationError, match="not at its end"):
        at.begin()
    assert len(at.sent) == 1


def test_an_edit_is_sent_as_the_person_wrote_it_once_the_gate_lets_it_through(office: Make) -> None:
    at = office()
    at.begin()
    omar = at.waiting[2].about
    at.decide(omar, "edit", subject="two\nlines")
    (again,) = (approval for approval in at.waiting if approval.about == omar)
    assert again.edit_refused == ("The subject must be one line of 1 to 200 characters.",)
    assert at.sent == []
    at.decide(omar, "edit", body="No, sorry.\n", to="ola@new.example")
    assert at.sent == ["ola@new.example"], "the owner may write to somebody whom nobody knows"
    assert at.mails("Sent")[0].get_payload() == "No, sorry.\n"


def test_a_rejection_has_it_written_again_and_put_to_the_person_again(office: Make) -> None:
    at = office()
    at.begin()
    printworks = at.waiting[1].about
    at.decide(printworks, "reject", notes="warmer, please")
    (again,) = (approval for approval in at.waiting if approval.about == printworks)
    assert "Dear colleagues" in again.texts["body"]
    assert at.sent == []
    assert [entry["reason"] for entry in at.saved.state["audit"]] == ["warmer, please"], "told while it still waits"


def test_a_preference_is_kept_in_code_even_when_the_model_does_not_listen(office: Make) -> None:
    at = office()
    at.preferences.remember("25-minute meetings, none before 10")
    at.again()
    at.begin()
    bea = at.waiting[0]
    assert "10:30" in bea.texts["body"]
    assert bea.background.endswith("a meeting from 2026-12-08 10:30 to 10:55.")
    at.decide(bea.about, "approve")
    (held,) = (event for event in at.context.calendar.events("2026-12-08") if event["id"] == bea.about)
    assert (held["start"], held["end"]) == ("2026-12-08T10:30", "2026-12-08T10:55")
    assert "09:00 on 2026-12-08 is not a free slot" in at.saved.state["audit"][0]["reason"]


def take(at: Office, start: str, end: str) -> None:
    at.context.calendar.hold(
        {"id": start, "title": "dentist", "start": f"2026-12-08T{start}", "end": f"2026-12-08T{end}"}
    )


def test_a_slot_that_was_taken_while_the_draft_waited_is_not_promised_and_a_person_decides_again(office: Make) -> None:
    at = office()
    at.begin()
    bea, *others = (approval.about for approval in at.waiting)
    take(at, "09:00", "10:00")
    at.decide(bea, "approve")
    at.again()
    assert at.sent == []
    (again,) = (approval for approval in at.waiting if approval.about == bea)
    assert "at 10:30 would suit me" in again.texts["body"]
    at.decide(bea, "approve")
    assert at.sent == ["bea@lind.example"]
    assert "10:30" in str(at.mails("Sent")[0].get_payload())
    assert [entry["action"] for entry in at.saved.state["audit"] if entry["role"] == bea] == [
        "approved",
        "too late; written again",
        "asked again, correction 1",
        "approved",
        "sent",
    ]
    assert [approval.about for approval in at.waiting] == others


def test_a_draft_that_is_always_too_late_comes_to_an_end(office: Make) -> None:
    times = ["09:00", "09:30", "10:30", "11:00", "11:30"]
    meetings = [
        {"to": "bea@lind.example", "subject": "s", "body": one, "meeting": f"2026-12-08T{one}"} for one in times
    ]
    moved = [
        calls(f"{one} on 2026-12-08 is not a free slot", ("Rewritten", meeting), who="writer")
        for one, meeting in zip(times, meetings[1:], strict=False)
    ]
    at = office(calls("unread mail", draft_of(**meetings[0])), says("put to the owner", "Done."), *moved)
    at.begin()
    for start, end in zip(times, [*times[1:], "12:00"], strict=True):
        if at.waiting:
            take(at, start, "10:00" if start == "09:30" else end)
            at.decide(at.waiting[0].about, "approve")
    assert at.outcomes == {"bea@lind.example": "too late"}
    assert at.saved.finished
    assert at.sent == []


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_crash_between_approval_and_sending_sends_once(office: Make, dies: str) -> None:
    at = office()
    at.begin()
    bea, *others = (approval.about for approval in at.waiting)
    at.post.dies = dies
    with pytest.raises(ConnectionError):
        at.decide(bea, "approve")
    at.again()
    assert [approval.about for approval in at.waiting] == others, "nobody is asked about it twice"
    at.post.dies = ""
    at.work.go_on()
    at.work.go_on()
    assert at.sent == ["bea@lind.example"]
    assert len([event for event in at.context.calendar.events("2026-12-08") if event["id"] == bea]) == 1
    for other in others:
        at.decide(other, "abort")
    assert at.saved.finished
    assert at.sent == ["bea@lind.example"]


def draft_of(**changed: str) -> tuple[str, dict[str, Any]]:
    given = {"mail_id": "2a965cfe", "to": "omar@vale.example", "subject": "s", "body": "b", **changed}
    return "draft", given


def test_the_same_draft_twice_is_one_and_a_mail_that_is_not_there_has_none(office: Make) -> None:
    at = office(
        calls("unread mail", draft_of(), draft_of(), draft_of(mail_id="nothing")),
        says("There is no mail 'nothing'", "Done."),
    )
    at.begin()
    assert len(at.waiting) == 1


def test_a_run_without_drafts_ends_and_marks_only_what_was_read(office: Make) -> None:
    at = office(calls("unread mail", ("read_mail", {"mail_id": "2a965cfe"})), says("mailbox audit", "Nothing to do."))
    at.begin()
    assert at.saved.finished
    assert len(at.context.mailbox.unread()) == 3
    at.begin()
    assert len(list(at.work.every())) == 2


def test_a_run_takes_no_more_mail_than_a_model_can_hold(office: Make) -> None:
    at = office(says("unread mail", "Nothing to do."))
    at.work.begin([str(number) for number in range(MAX_UNREAD + 10)], replay=True)
    assert at.saved.state["unread"] == [str(number) for number in range(MAX_UNREAD)]


class Insatiable(BaseChatModel):
    """Lists mail for ever."""

    @property
    def _llm_type(self) -> str:
        return "insatiable"

    def bind_tools(self, tools: Any, **_kwargs: Any) -> Any:
        return self.bind(tools=len(tools))

    def _generate(self, messages: Any, *_args: Any, **_kwargs: Any) -> ChatResult:
        call = {"name": "list_unread", "args": {}, "id": str(len(messages))}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


def test_a_model_that_never_has_enough_is_stopped(office: Make) -> None:
    at = office(chat=lambda _who: Insatiable())
    at.begin()
    assert at.saved.finished
    assert sum(isinstance(message, AIMessage) for message in at.saved.state["messages"]) == MAX_ROUNDS + 1


def test_a_writer_that_fills_in_no_form_ends_with_a_person(office: Make) -> None:
    silent = [ScriptedReply(who="writer", when="", reply="I would rather not.", again=True)]
    at = office(calls("unread mail", draft_of(subject="two\nlines")), says("put to the owner", "Done."), *silent)
    at.begin()
    (asked,) = at.waiting
    assert asked.decisions == ("edit", "reject", "abort"), "there is nothing that could be approved"
    assert asked.reasons == ("The subject must be one line of 1 to 200 characters.",)
    assert at.mails("Drafts") == [], "what cannot be a mail lies nowhere"


def test_state_that_lies_in_a_pause_is_plain_data(office: Make) -> None:
    at = office()
    at.begin()
    messages = at.saved.state.pop("messages")
    json.dumps(at.saved.state | {"messages": []})
    assert all(isinstance(message.content, str) for message in messages if isinstance(message, ToolMessage))
