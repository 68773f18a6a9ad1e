"""The gates of the support desk: every rule, all failed ones together, and no claim of whatever kind gets past them."""

import ast
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples.support_desk import facts, gates
from examples.support_desk.facts import Order, amount, left
from examples.support_desk.gates import (
    LIMIT,
    MIN_REASON,
    ROUTES,
    complaint_verdict,
    question_verdict,
    refund_verdict,
    route_verdict,
    summary_verdict,
)


def order(number: str, status: Any = "delivered", paid: str = "100.00", refunded: str = "0.00") -> Order:
    return Order(id=number, product="a lamp", status=status, delivery="", paid=paid, refunded=refunded)


ORDERS = {
    "ORD-1001": order("ORD-1001"),
    "ORD-1002": order("ORD-1002", status="shipped"),
    "ORD-1003": order("ORD-1003", paid="900.00", refunded="100.00"),
}


def refund(order_id: str = "ORD-1001", amount: str = "40.00", reason: str = "it is broken in two") -> dict[str, str]:
    return {"order_id": order_id, "amount": amount, "reason": reason}


def complaint(summary: str = "Nobody has called back in three weeks.", **more: str) -> dict[str, str]:
    return {"order_id": "", "summary": summary, "sentiment": "neutral"} | more


@pytest.mark.parametrize("module", [gates, facts])
def test_gates_are_plain_python_without_input_or_output(module: Any) -> None:
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    plain = {"collections.abc", "decimal", "re", "typing"}
    assert named <= plain | {"examples.support_desk.facts", "src.gates.verdict"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in ("open", "eval", "exec")]


@pytest.mark.parametrize("route", ROUTES)
def test_a_known_route_is_taken(route: str) -> None:
    assert route_verdict({"route": route}).passed


@pytest.mark.parametrize("route", ["", "refund", "Orders", "__end__", "orders "])
def test_any_other_route_is_refused_with_those_that_exist(route: str) -> None:
    assert route_verdict({"route": route}).reasons == (
        f"route {route!r} is none of orders, refunds, complaints, unclear.",
    )


@pytest.mark.parametrize("number", ["", "1001", "ord-1001", "ORD-1001 ", "ORD-10011", "ORD-\uff11001", "ORD-1001\n"])
def test_a_number_must_have_the_right_form(number: str) -> None:
    (reason,) = question_verdict({"order_id": number, "topic": "status"}, ORDERS).reasons
    assert "has not the form ORD-1234" in reason


def test_a_number_must_be_one_of_the_customers_own() -> None:
    (reason,) = question_verdict({"order_id": "ORD-2001", "topic": "status"}, ORDERS).reasons
    assert reason == "This customer has no order ORD-2001."


def test_a_right_question_passes() -> None:
    assert question_verdict({"order_id": "ORD-1002", "topic": "delivery"}, ORDERS).passed


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"order_id": "ORD-1002"}, "ORD-1002 is shipped; only a delivered order is refunded."),
        ({"amount": "0.00"}, "The amount is 0.00; there is nothing to refund."),
        ({"amount": "100.01"}, "100.01 is more than the 100.00 that ORD-1001 still has of what was paid."),
        ({"reason": "  too  bad  "}, "The reason is 7 characters long, less than 10."),
    ],
)
def test_a_refund_that_breaks_one_rule_is_refused_for_it(changed: dict[str, str], reason: str) -> None:
    verdict = refund_verdict(refund(**changed), ORDERS)
    assert verdict.reasons == (reason,)
    assert not verdict.escalate


def test_every_rule_that_failed_is_reported_together() -> None:
    reasons = refund_verdict(refund("ORD-1002", "9999.00", "now"), ORDERS).reasons
    assert [reason.split()[0] for reason in reasons] == ["ORD-1002", "9999.00", "The", "9999.00"]
    assert len(question_verdict({"order_id": "x", "topic": "price"}, ORDERS).reasons) == 2
    assert len(complaint_verdict(complaint("bad", sentiment="cross", order_id="x"), ORDERS).reasons) == 3


@pytest.mark.parametrize("text", ["", "-1", "+1", "1e2", "NaN", "Infinity", "9,999", "1.005", " 1", "1.", "٣", "1_0"])
def test_what_is_no_plain_amount_of_money_is_refused(text: str) -> None:
    assert amount(text) is None
    assert "not an amount of money" in refund_verdict(refund(amount=text), ORDERS).reasons[0]


def test_up_to_the_limit_no_director_is_needed_and_above_it_only_one_helps() -> None:
    assert refund_verdict(refund("ORD-1003", "500.00"), ORDERS).passed
    above = refund_verdict(refund("ORD-1003", "500.01"), ORDERS)
    assert above.reasons == ("500.01 is more than 500.00, the most that is refunded without a director.",)
    assert above.escalate, "its author cannot mend that"
    assert refund_verdict(refund("ORD-1003", "500.01"), ORDERS, director=True).passed


def test_a_director_overrules_the_limit_and_nothing_else() -> None:
    assert not refund_verdict(refund("ORD-1003", "800.01"), ORDERS, director=True).passed
    assert not refund_verdict(refund("ORD-1002"), ORDERS, director=True).passed


TEXT = st.one_of(st.text(max_size=30), st.sampled_from([*ORDERS, "ORD-2001", "40.00", "500.01", "9999", "-5"]))


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, TEXT, st.booleans())
def test_whatever_is_claimed_what_passes_keeps_every_rule(number: str, asked: str, reason: str, director: bool) -> None:
    verdict = refund_verdict(refund(number, asked, reason), ORDERS, director=director)
    if not verdict.passed:
        assert all(line and "\n" not in line and len(line) < 200 for line in verdict.reasons)
        return
    money = amount(asked)
    assert money is not None
    assert ORDERS[number]["status"] == "delivered"
    assert Decimal(0) < money <= left(ORDERS[number])
    assert director or money <= LIMIT
    assert len(reason.strip()) >= MIN_REASON


@settings(max_examples=50, deadline=None)
@given(st.decimals(min_value=0, max_value=2_000, places=2))
def test_money_is_read_to_the_cent(asked: Decimal) -> None:
    assert amount(str(asked)) == asked
    assert refund_verdict(refund("ORD-1003", str(asked)), ORDERS).passed == (0 < asked <= LIMIT)


def test_a_complaint_needs_twenty_characters_and_a_sentiment_that_is_known() -> None:
    assert complaint_verdict(complaint(), ORDERS).passed
    assert complaint_verdict(complaint("x" * 20, sentiment="angry", order_id="ORD-1002"), ORDERS).passed
    assert not complaint_verdict(complaint("x" * 19), ORDERS).passed
    assert not complaint_verdict(complaint("x" + " " * 30), ORDERS).passed
    assert not complaint_verdict(complaint(sentiment="happy"), ORDERS).passed


def test_a_summary_is_short_and_invents_no_order() -> None:
    said = "Where is ORD-1001?"
    assert summary_verdict({"summary": "Asked where ORD-1001 is."}, said).passed
    assert summary_verdict({"summary": " "}, said).reasons == ("The summary is empty.",)
    wrong = summary_verdict({"summary": "ORD-1003 may be refunded. " + "x" * 800}, said)
    assert [reason.split()[0] for reason in wrong.reasons] == ["The", "Nobody"]
