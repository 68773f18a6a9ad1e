"""Modules that try to pass without being right: none gets a green in split mode, and none gets to name an excuse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HOSTILE = sorted((Path(__file__).parent / "hostile").glob("*.txt"))


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.stem)
def test_a_module_that_lies_gets_neither_a_green_nor_an_excuse(case: Path, split: Callable[..., Any]) -> None:
    module, suite = case.read_text().split("\n=====\n")
    told = split(module, suite)
    assert not told.green
    assert told.cannot_carry == []
