"""The gates: what a model may claim. Plain Python over plain data; what exists is a fact that is handed in.

Each gate reports every rule that failed, not the first one alone, so that one correction can mend them all.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from examples.support_desk.facts import Order, amount, is_number, left, numbers_in
from src.gates.verdict import Verdict

Claim = Mapping[str, Any]
"""What a model said, by the names of its fields; every value is text."""
Orders = Mapping[str, Order]
"""The customer's own orders by their numbers; those of others do not exist here."""

ROUTES = ("orders", "refunds", "complaints", "unclear")
"""Where the supervisor may send a message. `unclear`: to nobody, the customer is asked what is meant."""
TOPICS = ("status", "delivery", "product")
SENTIMENTS = ("angry", "frustrated", "neutral", "satisfied")
UPSET = ("angry", "frustrated")
"""Sentiments of a complaint that a person decides about."""
LIMIT = Decimal("500.00")
"""The most that is refunded without a director."""
MIN_REASON = 10
"""Characters of a refund's reason at least."""
MIN_COMPLAINT = 20
"""Characters of a complaint's summary at least."""
MAX_SUMMARY = 800
"""Characters that a conversation is summed up in at most."""


def route_verdict(claim: Claim) -> Verdict:
    """Whether there is such a route."""
    return Verdict(tuple(_one_of("route", claim["route"], ROUTES)))


def question_verdict(claim: Claim, orders: Orders) -> Verdict:
    """Whether a question about an order can be looked up."""
    return Verdict((*_order(claim["order_id"], orders), *_one_of("topic", claim["topic"], TOPICS)))


def refund_verdict(claim: Claim, orders: Orders, *, director: bool = False) -> Verdict:
    """Whether a refund may be put to a person.

    Where nothing but a `director` is missing, its author cannot mend it: the verdict is to escalate.
    """
    order = orders.get(claim["order_id"])
    reasons = [*_order(claim["order_id"], orders)]
    if order and order["status"] != "delivered":
        reasons.append(f"{order['id']} is {order['status']}; only a delivered order is refunded.")
    asked = amount(claim["amount"])
    reasons += _sum(claim["amount"], asked, order)
    if _length(claim["reason"]) < MIN_REASON:
        reasons.append(f"The reason is {_length(claim['reason'])} characters long, less than {MIN_REASON}.")
    sound = not reasons
    if asked is not None and asked > LIMIT and not director:
        reasons.append(f"{asked} is more than {LIMIT}, the most that is refunded without a director.")
    return Verdict(tuple(reasons), escalate=sound and bool(reasons))


def complaint_verdict(claim: Claim, orders: Orders) -> Verdict:
    """Whether a complaint may be filed. It need not be about an order."""
    reasons = [*_order(claim["order_id"], orders)] if claim["order_id"] else []
    length = _length(claim["summary"])
    if length < MIN_COMPLAINT:
        reasons.append(f"The summary is {length} characters long, less than {MIN_COMPLAINT}.")
    return Verdict((*reasons, *_one_of("sentiment", claim["sentiment"], SENTIMENTS)))


def summary_verdict(claim: Claim, said: str) -> Verdict:
    """Whether a summary may stand for what was `said`: it is short, and names no order that was not named."""
    length = _length(claim["summary"])
    reasons = [] if length else ["The summary is empty."]
    if length > MAX_SUMMARY:
        reasons.append(f"The summary is {length} characters long; at most {MAX_SUMMARY} are kept.")
    invented = sorted(numbers_in(claim["summary"]) - numbers_in(said))
    return Verdict((*reasons, *(f"Nobody spoke of {number}." for number in invented)))


def _order(number: str, orders: Orders) -> Iterator[str]:
    if not is_number(number):
        yield f"order_id {number[:40]!r} has not the form ORD-1234."
    elif number not in orders:
        yield f"This customer has no order {number}."


def _sum(text: str, asked: Decimal | None, order: Order | None) -> Iterator[str]:
    if asked is None:
        yield f"amount {text[:40]!r} is not an amount of money such as 49.90."
    elif asked == 0:
        yield "The amount is 0.00; there is nothing to refund."
    elif order and asked > left(order):
        yield f"{asked} is more than the {left(order)} that {order['id']} still has of what was paid."


def _one_of(name: str, word: str, known: tuple[str, ...]) -> Iterator[str]:
    if word not in known:
        yield f"{name} {word[:40]!r} is none of {', '.join(known)}."


def _length(text: str) -> int:
    """Characters that say something: blanks count once."""
    return len(" ".join(text.split()))
