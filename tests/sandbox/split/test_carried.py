"""What works through the channel of split mode: each suite passes in one process and in two alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CARRIED = sorted((Path(__file__).parent / "carried").glob("*.txt"))


@pytest.mark.parametrize("case", CARRIED, ids=lambda case: case.stem)
def test_a_suite_that_passes_in_one_process_passes_in_two(
    case: Path, split: Callable[..., Any], together: Callable[..., Any]
) -> None:
    module, suite = case.read_text().split("\n=====\n")
    assert together(module, suite).failed == {}
    told = split(module, suite)
    assert (told.failed, told.status, told.broken, told.cannot_carry) == ({}, 0, "", [])
