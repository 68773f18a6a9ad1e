"""Texts that are kept once: what is restored is what was saved, whatever it is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.memory import InMemoryStore
from langgraph.types import Send

from src.errors import ConfigurationError
from src.runs.slim import LONG, MARK, Texts
from src.runs.vault import Vault

TEXTS = st.text(max_size=400) | st.text(max_size=20).map(lambda text: MARK + text)
VALUES = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("key", [None, "a long secret text"])
@given(value=VALUES)
def test_what_is_restored_is_what_was_saved(key: str | None, value: Any) -> None:
    texts = Texts(InMemoryStore(), VAULTS[key])
    assert texts.full(texts.slim(value, "r"), "r") == value


VAULTS = {key: Vault(key) for key in (None, "a long secret text")}


def test_a_long_text_is_kept_once_however_often_it_is_saved() -> None:
    store = InMemoryStore()
    texts = Texts(store, Vault())
    code = "x = 1\n" * LONG
    first, second = texts.slim({"code": code}, "r"), texts.slim({"best": {"code": code}}, "r")
    assert first["code"] == second["best"]["code"]
    assert len(first["code"]) < 60
    assert len(store.search(("texts", "r"))) == 1


def test_the_state_that_several_developers_are_sent_is_kept_once() -> None:
    store = InMemoryStore()
    texts = Texts(store, Vault())
    sends = [Send("developer", {"specs": "x" * LONG, "developer": which}) for which in (1, 2)]
    slim = texts.slim(sends, "r")
    assert len(str(slim)) < 3 * LONG
    assert len(store.search(("texts", "r"))) == 1
    assert texts.full(slim, "r") == sends


def test_a_text_that_looks_like_a_hash_is_not_taken_for_one() -> None:
    texts = Texts(InMemoryStore(), Vault())
    assert texts.full(texts.slim(MARK + "0" * 40, "r"), "r") == MARK + "0" * 40


def test_with_a_key_no_text_is_left_in_the_clear() -> None:
    store = InMemoryStore()
    slim = Texts(store, VAULTS["a long secret text"]).slim({"user_request": "tell nobody"}, "r")
    kept = [item.value for item in store.search(("texts", "r"))]
    assert "nobody" not in f"{slim} {kept}"


def test_another_key_opens_nothing() -> None:
    sealed = VAULTS["a long secret text"].seal(b"content")
    with pytest.raises(ConfigurationError, match="RUNS_KEY"):
        Vault("another").open(sealed)


def test_what_a_run_kept_goes_with_it() -> None:
    store = InMemoryStore()
    texts = Texts(store, Vault())
    texts.slim("x" * LONG, "r")
    texts.slim("x" * LONG, "other")
    texts.forget("r")
    assert (len(store.search(("texts", "r"))), len(store.search(("texts", "other")))) == (0, 1)
    assert texts.full(texts.slim("x" * LONG, "r"), "r") == "x" * LONG, "it is kept again when it is saved again"
