"""Is a suite whose parameters never end.

expect: timeout | out_of_memory
limits: seconds=2
within: 1
"""
# --- suite ---
import itertools

import pytest


@pytest.mark.parametrize("number", itertools.count())
def test_all(number): ...
