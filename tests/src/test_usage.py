"""What calls used and what they cost."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from src.errors import ConfigurationError
from src.models import PROVIDERS
from src.reply import Usage
from src.state import Call
from src.usage import Price, PriceTable, load_prices, totals

TODAY = date(2026, 11, 30)


def table(*rows: dict[str, Any]) -> PriceTable:
    base = {"provider": "openai", "model": "m", "as_of": "2026-01-01", "input": 2, "output": 10}
    return PriceTable.model_validate({"prices": [base | row for row in rows]})


def cost(prices: PriceTable, model: str = "m", today: date = TODAY, provider: str = "openai", **usage: Any) -> Any:
    given = {"input_tokens": 1_000_000, "output_tokens": 100_000} | usage
    return prices.cost_of(provider, model, Usage(**given), today)


def test_a_cost_is_what_was_read_and_written() -> None:
    assert cost(table({})) == pytest.approx(2 + 1)


def test_cached_tokens_have_a_price_of_their_own() -> None:
    assert cost(table({"cached": 0.5}), cached_tokens=600_000) == pytest.approx(0.4 * 2 + 0.6 * 0.5 + 1)


def test_without_a_price_for_them_cached_tokens_cost_as_others() -> None:
    assert cost(table({}), cached_tokens=600_000) == pytest.approx(3)


def test_more_cached_tokens_than_were_read_do_not_make_a_call_cheaper_than_free() -> None:
    assert cost(table({"cached": 0.5}), cached_tokens=9_000_000) == pytest.approx(0.5 + 1)


def test_thinking_is_part_of_what_was_written_and_not_paid_twice() -> None:
    assert cost(table({}), reasoning_tokens=90_000) == pytest.approx(3)


def test_an_unknown_model_has_no_cost() -> None:
    assert cost(table({}), model="other") is None


def test_the_same_model_at_another_provider_has_no_cost() -> None:
    assert cost(table({}), provider="compatible") is None


def test_an_unknown_count_has_no_cost() -> None:
    assert cost(table({}), input_tokens=None) is None
    assert cost(table({}), output_tokens=None) is None


def test_a_price_of_zero_is_a_price() -> None:
    assert cost(table({"input": 0, "output": 0})) == 0.0


@pytest.mark.parametrize("name", ["m-2026-04-01", "models/m", "m-001", "models/m-002"])
def test_the_release_at_the_end_of_a_name_does_not_hide_its_price(name: str) -> None:
    assert cost(table({}), model=name) == pytest.approx(3)


@pytest.mark.parametrize("name", ["m-mini", "m-2", "m2", "xm"])
def test_a_name_that_only_looks_alike_has_no_price(name: str) -> None:
    assert cost(table({}), model=name) is None


def test_a_release_with_a_row_of_its_own_has_its_own_price() -> None:
    prices = table({}, {"model": "m-2024-05-13", "input": 4})
    assert cost(prices, model="m-2024-05-13") == pytest.approx(4 + 1)


def test_a_prompt_longer_than_the_price_holds_for_has_no_cost() -> None:
    prices = table({"up_to_input_tokens": 999_999})
    assert cost(prices) is None
    assert cost(prices, input_tokens=999_999) is not None


def test_an_announced_end_of_a_price_is_kept() -> None:
    prices = table({"until": "2026-12-31"}, {"input": 20})
    assert cost(prices, today=date(2026, 12, 31)) == pytest.approx(2 + 1)
    assert cost(prices, today=date(2027, 1, 1)) == pytest.approx(20 + 1)
    assert cost(table({"until": "2026-12-31"}), today=date(2027, 1, 1)) is None


def test_the_table_that_ships_is_dated_and_knows_its_providers() -> None:
    prices = load_prices().prices
    assert len(prices) > 10
    for price in prices:
        assert price.provider in PROVIDERS
        assert date(2026, 1, 1) <= price.as_of <= TODAY
        assert 0 < price.input < price.output or (price.output == 0 and "embedding" in price.model)
        assert price.cached is None or price.cached < price.input
    names = [(price.provider, price.model, price.until) for price in prices]
    assert len(names) == len(set(names))


def test_a_table_of_ones_own_takes_the_place_of_the_one_that_ships(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    row = {"provider": "compatible", "model": "qwen3", "as_of": "2026-11-30", "input": 0, "output": 0}
    path.write_text(json.dumps({"prices": [row]}))
    prices = load_prices(path)
    assert cost(prices, model="qwen3", provider="compatible") == 0.0
    assert cost(prices, model="gpt-4o") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "is not a price table"), ('{"prices": [{"model": "m"}]}', "prices.0.provider"), (None, "cannot be read")],
)
def test_a_table_that_cannot_be_read_is_named(tmp_path: Path, text: str | None, told: str) -> None:
    path = tmp_path / "prices.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigurationError, match=told) as caught:
        load_prices(path)
    assert "PRICES_FILE" in caught.value.message


def test_negative_prices_are_refused() -> None:
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        Price(provider="openai", model="m", as_of=TODAY, input=-1, output=1)


def call(role: Any, tokens: int | None, dollars: float | None) -> Call:
    return Call(
        id="",
        role=role,
        model="m",
        input_tokens=tokens,
        output_tokens=tokens,
        reasoning_tokens=None,
        cached_tokens=None,
        cost=dollars,
        seconds=0.5,
        standing="answered",
    )


def test_calls_are_summed_by_role_and_in_all() -> None:
    sums = totals([call("developer", 10, 0.1), call("debugger", 20, 0.2), call("debugger", 30, 0.3)])
    assert list(sums.by_role) == ["developer", "debugger"]
    debugger = sums.by_role["debugger"]
    assert (debugger.calls, debugger.input_tokens, debugger.output_tokens, debugger.seconds) == (2, 50, 50, 1.0)
    assert (sums.total.calls, sums.total.input_tokens, sums.total.seconds) == (3, 60, 1.5)
    assert sums.total.cost == pytest.approx(0.6)
    assert (sums.total.cost_unknown, sums.total.tokens_unknown) == (0, 0)


def test_a_sum_with_an_unknown_part_says_so() -> None:
    total = totals([call("developer", 10, 0.1), call("developer", None, None)]).total
    assert (total.calls, total.input_tokens, total.tokens_unknown) == (2, 10, 1)
    assert (total.cost, total.cost_unknown) == (0.1, 1)


def test_a_sum_of_nothing_but_unknown_is_unknown_and_not_zero() -> None:
    total = totals([call("developer", None, None)]).total
    assert (total.input_tokens, total.cost) == (None, None)
    assert total.reasoning_tokens is None


def test_a_run_without_a_call_has_an_empty_sum() -> None:
    sums = totals([])
    assert sums.by_role == {}
    assert (sums.total.calls, sums.total.cost, sums.total.cost_unknown) == (0, None, 0)
