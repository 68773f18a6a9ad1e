"""Has names, texts and tests in many scripts.

expect: passed
within: 1
"""
# --- module ---
def verdopple_größe(größe: int) -> int:
    return 2 * größe


def 二倍(数: int) -> int:
    return 2 * 数
# --- suite ---
import pytest
from solution import verdopple_größe, 二倍


def test_größe():
    assert verdopple_größe(2) == 4


@pytest.mark.parametrize("数", [1, 2], ids=["eins\u200b", "🦉\u202e"])
def test_二倍(数):
    assert 二倍(数) == 2 * 数
