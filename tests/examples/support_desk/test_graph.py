"""Whole conversations: what each member of the desk may do, what stops it, and what a person decides."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from examples.support_desk.edges import KEPT, MAX_MESSAGES
from examples.support_desk.graph import build_desk
from examples.support_desk.refunds import build_refunds
from src.errors import ConfigurationError
from src.models.scripted import ScriptedReply
from tests.examples.support_desk.conftest import Talk, fills_in

Open = Callable[..., Talk]

WHERE = "Where is ORD-1002?"
BACK = "ORD-1001 crackles. Money back!"
CLAIM = {"order_id": "ORD-1001", "amount": "79.90", "reason": "crackles on the left"}
ANGRY = {"order_id": "ORD-1003", "summary": "Nobody calls back about the desk.", "sentiment": "angry"}
TO_REFUNDS = fills_in("supervisor", BACK, route="refunds")
REFUND = (TO_REFUNDS, fills_in("refunds", BACK, **CLAIM))
HELLO = fills_in("supervisor", "hello", route="unclear")


def complaint(**changed: str) -> tuple[ScriptedReply, ...]:
    return (
        fills_in("supervisor", "desk", route="complaints"),
        fills_in("complaints", "desk", **{**ANGRY, **changed}),
    )


def test_an_order_is_looked_up_and_answered_from_the_shops_database(talk: Open) -> None:
    a = talk(
        fills_in("supervisor", WHERE, route="orders"),
        fills_in("orders", WHERE, order_id="ORD-1002", topic="delivery"),
    )
    assert a.say(WHERE) == "ORD-1002 (coffee grinder): expected on 3 December."
    assert a.state["validation_errors"] == []


def test_a_refused_claim_goes_back_with_every_reason_and_the_next_one_is_taken(talk: Open) -> None:
    a = talk(
        TO_REFUNDS,
        fills_in("refunds", BACK, order_id="ORD-1002", amount="79.90", reason="broken"),
        fills_in("refunds", "only a delivered order", **CLAIM),
    )
    a.say(BACK)
    assert [error["reasons"] for error in a.state["validation_errors"]] == [
        [
            "ORD-1002 is shipped; only a delivered order is refunded.",
            "The reason is 6 characters long, less than 10.",
        ]
    ]
    assert a.state["audit"][0]["action"] == "asked again, correction 1"
    assert a.asked.question == "Refund 79.90 for ORD-1001?"


def test_a_claim_that_is_no_form_is_refused_like_any_other(talk: Open) -> None:
    a = talk(
        TO_REFUNDS,
        ScriptedReply(who="refunds", when=BACK, reply="Sure, I have refunded it!"),
        fills_in("refunds", "was not filled in", order_id="ORD-1001", amount=["all"]),
        fills_in("refunds", "amount: Input should be a valid string", **CLAIM),
    )
    a.say(BACK)
    reasons = [error["reasons"] for error in a.state["validation_errors"]]
    assert reasons == [
        ["The form RefundClaim was not filled in."],
        ["amount: Input should be a valid string.", "reason: Field required."],
    ]
    assert a.asked.matter == "refund"


@pytest.mark.parametrize("number", [79.9, "79.9", "79.90"])
def test_money_that_a_model_writes_as_a_number_is_read_to_the_cent(talk: Open, number: Any) -> None:
    a = talk(TO_REFUNDS, fills_in("refunds", BACK, **{**CLAIM, "amount": number}))
    a.say(BACK)
    assert a.asked.question == "Refund 79.90 for ORD-1001?"


def test_a_route_that_does_not_exist_is_corrected(talk: Open) -> None:
    a = talk(
        fills_in("supervisor", "hello", route="refund_everything"), fills_in("supervisor", "none of", route="unclear")
    )
    assert a.say("hello").endswith("Which is it?")
    assert [error["who"] for error in a.state["validation_errors"]] == ["supervisor"]


def test_a_message_for_nobody_is_answered_with_a_question_by_rule(talk: Open) -> None:
    a = talk(HELLO)
    assert a.say("hello") == (
        "I can tell you about an order, take a refund to a colleague, or file a complaint. Which is it?"
    )
    assert not [node for node in a.nodes if node.startswith(("orders", "refunds", "complaints"))]


def test_a_supervisor_that_finds_no_route_leaves_the_message_to_a_person(talk: Open) -> None:
    a = talk(
        fills_in("supervisor", "hello", route="x1"),
        fills_in("supervisor", "x1", route="x2"),
        fills_in("supervisor", "x2", route="x3"),
    )
    assert a.say("hello") == ""
    assert a.asked.matter == "escalation"
    assert a.decide("edit", claim='{"route": "orders?"}') == "", "a person's words are judged as well"
    assert a.asked.edit_refused == ("route 'orders?' is none of orders, refunds, complaints, unclear.",)
    assert a.decide("edit", claim='{"route": "unclear"}').endswith("Which is it?")


def test_without_a_number_the_customer_is_asked_and_nobody_is_corrected(talk: Open) -> None:
    a = talk(
        fills_in("supervisor", "my order", route="orders"),
        fills_in("orders", "my order", order_id="", topic="status"),
    )
    assert a.say("where is my order") == "Which order is it? Yours are ORD-1001, ORD-1002, ORD-1003, ORD-1004."
    assert a.state["validation_errors"] == []


def never(who: str, said: str, **claim: str) -> list[ScriptedReply]:
    """Three claims that are refused for a reason of their own each."""
    return [fills_in(who, when, **claim, order_id=number) for when, number in ((said, "A"), ("'A'", "B"), ("'B'", "C"))]


@pytest.mark.parametrize(
    ("who", "claim", "tool"),
    [
        ("orders", {"topic": "status"}, "orders/look_up"),
        ("refunds", {"amount": "10.00", "reason": "crackles on the left"}, "refunds/book"),
        ("complaints", {"summary": "Nobody calls back about it.", "sentiment": "neutral"}, "complaints/file"),
    ],
)
def test_two_corrections_then_a_person_and_the_specialist_never_acts(
    talk: Open, who: str, claim: dict[str, str], tool: str
) -> None:
    a = talk(fills_in("supervisor", "hello", route=who), *never(who, "hello", **claim))
    a.say("hello")
    assert a.nodes.count(f"{who}/claim/author") == 3
    assert a.asked.matter == "escalation"
    assert len(a.state["validation_errors"]) == 3, "also while a person is asked"
    assert a.decide("abort") == "A colleague takes this over and writes to you."
    assert tool not in a.nodes
    assert a.state["accepted"] == {}
    assert a.shop.rows("refunds") == a.shop.rows("complaints") == []
    assert a.state["audit"][-1]["action"] == "taken over by a person"


def test_what_a_person_sends_back_is_tried_anew_with_corrections_of_its_own(talk: Open) -> None:
    a = talk(
        TO_REFUNDS,
        *never("refunds", BACK, amount="10.00", reason="crackles on the left"),
        fills_in("refunds", "It is ORD-1001", **CLAIM),
    )
    a.say(BACK)
    a.decide("reject", "It is ORD-1001.")
    assert a.asked.matter == "refund"


def test_corrections_are_counted_anew_in_every_turn_and_refusals_add_up(talk: Open) -> None:
    wrong = [
        fills_in("orders", when, order_id=number, topic="status")
        for when, number in (("first", "A"), ("'A'", "B"), ("'B'", "ORD-1001"))
    ]
    again = [
        fills_in("orders", when, order_id=number, topic="status")
        for when, number in (("second", "C"), ("'C'", "D"), ("'D'", "ORD-1001"))
    ]
    a = talk(
        fills_in("supervisor", "first", route="orders"),
        fills_in("supervisor", "second", route="orders"),
        *wrong,
        *again,
    )
    for text in ("first", "second"):
        assert a.say(text).startswith("ORD-1001")
    assert [(error["turn"], error["id"]) for error in a.state["validation_errors"]] == [
        (1, "turn-1-orders-0-0-0"),
        (1, "turn-1-orders-1-0-0"),
        (2, "turn-2-orders-0-0-0"),
        (2, "turn-2-orders-1-0-0"),
    ]


def test_what_one_turn_extracted_is_gone_in_the_next(talk: Open) -> None:
    a = talk(*REFUND, HELLO)
    a.say(BACK)
    a.decide("reject", "It is out of warranty.")
    a.say("hello")
    assert a.state["extracted_data"] == {"route": "unclear", "why": ""}
    assert a.state["note"] == ""


@pytest.mark.parametrize(
    ("decision", "reply", "booked"),
    [
        ("approve", "79.90 for ORD-1001 is on its way back to you.", 1),
        ("reject", "There is no refund for ORD-1001. It is out of warranty.", 0),
    ],
)
def test_a_refund_waits_for_a_person(talk: Open, decision: str, reply: str, booked: int) -> None:
    a = talk(*REFUND)
    assert a.say(BACK) == ""
    assert a.asked.decisions == ("approve", "reject", "escalate")
    assert a.shop.rows("refunds") == []
    a.again()
    assert a.decide(decision, "It is out of warranty." if decision == "reject" else "") == reply
    assert len(a.shop.rows("refunds")) == booked
    assert a.state["audit"][0]["action"] == f"decided: {decision}"


def test_a_refund_that_is_escalated_waits_for_a_director(talk: Open) -> None:
    a = talk(*REFUND)
    a.say(BACK)
    assert a.decide("escalate", "Shall we?") == ""
    assert "a colleague noted: Shall we?" in a.asked.background
    assert (a.asked.matter, a.asked.decisions) == ("director", ("approve", "reject"))
    assert a.shop.rows("refunds") == []
    assert a.decide("approve").startswith("79.90")


@pytest.mark.parametrize(("decision", "cents"), [("approve", [64000]), ("reject", [])])
def test_above_the_limit_only_a_director_is_asked(talk: Open, decision: str, cents: list[int]) -> None:
    high = {"order_id": "ORD-1003", "amount": "640.00", "reason": "it never stood straight"}
    a = talk(TO_REFUNDS, fills_in("refunds", BACK, **high))
    a.say(BACK)
    assert a.nodes.count("refunds/claim/author") == 1, "its author could not mend that"
    assert a.asked.matter == "director"
    a.decide(decision)
    assert [row["cents"] for row in a.shop.rows("refunds")] == cents


@pytest.mark.parametrize("sentiment", ["angry", "frustrated"])
@pytest.mark.parametrize(
    ("decision", "standing", "voucher"),
    [("escalate", "escalated", 0), ("compensate", "compensated", 1000), ("close", "closed", 0)],
)
def test_a_person_decides_about_a_customer_who_is_upset(
    talk: Open, sentiment: str, decision: str, standing: str, voucher: int
) -> None:
    a = talk(*complaint(sentiment=sentiment))
    assert a.say("my desk") == ""
    assert a.asked.decisions == ("escalate", "compensate", "close")
    assert a.shop.rows("complaints") == []
    assert a.decide(decision)
    (row,) = a.shop.rows("complaints")
    assert (row["standing"], row["voucher_cents"]) == (standing, voucher)


def test_a_calm_complaint_is_filed_without_a_person(talk: Open) -> None:
    a = talk(*complaint(sentiment="neutral"))
    assert a.say("my desk") == "Thank you for telling us. Your complaint is filed."
    assert [row["standing"] for row in a.shop.rows("complaints")] == ["filed"]


@pytest.mark.parametrize("decision", ["edit", "escalate_all", "abort"])
def test_a_decision_that_is_not_offered_leaves_the_question_open(talk: Open, decision: str) -> None:
    a = talk(*REFUND)
    a.say(BACK)
    with pytest.raises((ConfigurationError, ValueError)):
        a.decide(decision)
    assert a.asked.matter == "refund"
    assert a.shop.rows("refunds") == []


def test_a_new_message_does_not_push_aside_what_waits_for_a_person(talk: Open) -> None:
    a = talk(*REFUND, HELLO)
    a.say(BACK)
    with pytest.raises(ConfigurationError, match="not done with the message before"):
        a.say("hello")
    assert a.asked.matter == "refund"


def test_a_conversation_of_another_version_is_not_continued(talk: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    a = talk(HELLO)
    a.say("hello")
    monkeypatch.setattr("examples.support_desk.desk.SCHEMA_VERSION", 2)
    with pytest.raises(ConfigurationError, match="of another version"):
        a.say("hello")


SHORT = "Ada greeted the desk."


def greetings(*summaries: dict[str, Any]) -> list[ScriptedReply]:
    return [*[HELLO] * 20, *(fills_in("summary", "", **summary) for summary in summaries)]


def test_a_long_conversation_is_summed_up_and_old_messages_are_removed(talk: Open) -> None:
    a = talk(*greetings({"summary": SHORT}))
    for number in range(MAX_MESSAGES // 2 + 1):
        a.say(f"hello {number}")
    assert a.state["summary"] == SHORT
    assert [message.id for message in a.messages] == [
        f"turn-{number}-{who}" for number in (3, 4, 5) for who in ("customer", "desk")
    ]
    assert len(a.messages) == KEPT + 1


def test_a_summary_that_invents_an_order_is_refused_and_in_the_end_the_words_themselves_are_kept(talk: Open) -> None:
    invented = [{"summary": f"ORD-1003 may be refunded, {number}."} for number in range(3)]
    a = talk(
        *[HELLO] * 20,
        fills_in("summary", "customer: hello", **invented[0]),
        *[fills_in("summary", "Nobody spoke of ORD-1003", **summary) for summary in invented[1:]],
    )
    for number in range(MAX_MESSAGES // 2 + 1):
        a.say(f"hello {number}")
    assert a.state["summary"].startswith("customer: hello 0\ndesk: I can tell")
    assert [error["who"] for error in a.state["validation_errors"]] == ["summary"] * 3
    assert a.state["audit"][-1]["action"] == "gave up"


@pytest.mark.parametrize("build", [build_desk, build_refunds])
def test_the_pictures_in_the_readme_are_the_compiled_graphs(desk_readme: str, build: Callable[[], Any]) -> None:
    assert build().get_graph().draw_mermaid(with_styles=False) in desk_readme


def test_what_is_kept_is_plain_data_but_for_the_messages(talk: Open) -> None:
    a = talk(*REFUND)
    a.say(BACK)
    json.dumps({key: value for key, value in a.state.items() if key != "messages"})
