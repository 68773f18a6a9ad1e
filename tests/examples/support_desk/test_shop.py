"""The shop's books: a refund is booked once, by rules that hold at the moment of booking."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from examples.support_desk.gates import refund_verdict
from examples.support_desk.shop import Booking, Shop
from src.errors import ConfigurationError

CLAIM = {"order_id": "ORD-1001", "amount": "50.00", "reason": "crackles on the left"}


def book(shop: Shop, key: str = "a", **changed: str) -> Booking:
    return shop.refund(key, "ada", {**CLAIM, **changed}, lambda orders: refund_verdict({**CLAIM, **changed}, orders))


def test_a_customer_has_orders_and_not_those_of_others(shop: Shop) -> None:
    assert list(shop.orders_of("ada")) == ["ORD-1001", "ORD-1002", "ORD-1003", "ORD-1004"]
    assert list(shop.orders_of("ben")) == ["ORD-2001"]
    assert shop.orders_of("nobody") == {}


def test_a_refund_is_in_the_books_to_the_cent_and_counts_against_what_was_paid(shop: Shop) -> None:
    assert book(shop, amount="50.05").booked
    assert [(row["key"], row["cents"]) for row in shop.rows("refunds")] == [("a", 5005)]
    assert shop.orders_of("ada")["ORD-1001"]["refunded"] == "50.05"


def test_the_same_key_books_once(shop: Shop) -> None:
    assert not book(shop).again
    assert book(shop) == Booking(book(shop).verdict, booked=True, again=True)
    assert len(shop.rows("refunds")) == 1


def test_the_same_key_from_many_threads_books_once(shop: Shop) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _number: book(shop), range(16)))
    assert all(booking.booked for booking in done)
    assert sum(not booking.again for booking in done) == len(shop.rows("refunds")) == 1


def test_what_was_paid_is_given_back_once_whatever_was_approved(shop: Shop) -> None:
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda number: book(shop, str(number)), range(8)))
    assert sum(booking.booked for booking in done) == 1
    late = next(booking for booking in done if not booking.booked)
    assert late.verdict.reasons == ("50.00 is more than the 29.90 that ORD-1001 still has of what was paid.",)


def test_a_complaint_is_filed_once(shop: Shop) -> None:
    claim = {"order_id": "", "summary": "Nobody has called back.", "sentiment": "angry"}
    for _ in range(2):
        shop.file_complaint("k", "ada", claim, "compensated", "10.00")
    assert [(row["standing"], row["voucher_cents"]) for row in shop.rows("complaints")] == [("compensated", 1000)]


def test_the_books_are_kept_when_the_shop_is_opened_again(shop: Shop, tmp_path: Path) -> None:
    book(shop)
    assert len(Shop(tmp_path / "shop.sqlite").rows("refunds")) == 1


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "shop.sqlite").write_text("no database " * 100)
    with pytest.raises(ConfigurationError, match=r"shop\.sqlite cannot be used"):
        Shop(tmp_path / "shop.sqlite")
