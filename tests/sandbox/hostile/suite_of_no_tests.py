"""Is a suite whose only class says that it is none.

expect: no_tests
within: 1
"""
# --- suite ---
from solution import double


class TestDouble:
    __test__ = False

    def test_two(self):
        assert double(2) == 4
