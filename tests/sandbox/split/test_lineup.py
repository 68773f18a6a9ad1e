"""The line-up in which an object has to tell the value that it equals from decoys."""

import datetime
import sys
from pathlib import Path
from typing import Any

import pytest

GUEST = Path(__file__).parents[3] / "sandbox" / "guest"


@pytest.fixture
def lineup() -> Any:
    """The module, imported as the guest imports it."""
    sys.path.insert(0, str(GUEST))
    try:
        from split import lineup as module  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(GUEST))
    return module


VALUES = [0, 42, 10**20, 1.5, "", "word", [], [1, 2], (1, "a"), {"a": 1}, {1, 2}, datetime.date(2024, 1, 1)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_decoys_are_of_the_same_type_and_all_different(lineup: Any, value: object) -> None:
    made = lineup.decoys(value)
    assert len(made) >= 3
    assert all(type(decoy) is type(value) and decoy != value for decoy in made)
    assert all(a != b for n, a in enumerate(made) for b in made[:n])


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_an_honest_object_is_believed(lineup: Any, value: object) -> None:
    assert lineup.equals(lambda shown: shown == value, value)
    assert not lineup.equals(lambda _: False, value)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_an_object_that_equals_everything_is_not(lineup: Any, value: object) -> None:
    with pytest.raises(lineup.Undecided):
        lineup.equals(lambda _: True, value)


def test_nothing_but_none_equals_none(lineup: Any) -> None:
    assert not lineup.equals(lambda _: True, None)
