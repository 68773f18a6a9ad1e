"""What the desk knows to be true: orders and money. Plain data, as it lies in the state and as gates read it."""

import re
from decimal import Decimal
from typing import Literal, TypedDict

Status = Literal["processing", "shipped", "delivered", "returned"]


class Order(TypedDict):
    """An order of the customer who writes."""

    id: str
    """Its number, such as ORD-1001."""
    product: str
    """What was ordered."""
    status: Status
    """Where it stands."""
    delivery: str
    """When it came, or is to come, in words."""
    paid: str
    """What was paid for it, such as 79.90."""
    refunded: str
    """What of that was given back."""


_AMOUNT = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,2})?")
_NUMBER = re.compile(r"ORD-[0-9]{4}")


def amount(text: str) -> Decimal | None:
    """An amount of money with at most two decimals; `None` for what is none (`-1`, `1e9`, `NaN`, `9,999`)."""
    return Decimal(text).quantize(Decimal("0.01")) if _AMOUNT.fullmatch(text) else None


def left(order: Order) -> Decimal:
    """What of an order can still be given back."""
    return Decimal(order["paid"]) - Decimal(order["refunded"])


def is_number(text: str) -> bool:
    """Whether it has the form of an order's number."""
    return _NUMBER.fullmatch(text) is not None


def numbers_in(text: str) -> set[str]:
    """Every order's number that a text names."""
    return set(_NUMBER.findall(text))
