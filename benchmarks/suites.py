"""What is run: a suite of two tests, one of thirty as models write them, and one of which a test fails."""

from sandbox import Job

DOUBLE = "def double(number):\n    return 2 * number\n"
TWO = """\
from solution import double


def test_two():
    assert double(2) == 4


def test_zero():
    assert double(0) == 0
"""
FAILING = TWO.replace("double(2) == 4", "double(2) == 5")

LIMITER = '''\
from collections import deque


class Limiter:
    """Allows `limit` calls in any `window` seconds."""

    def __init__(self, limit, window):
        if limit < 1 or window <= 0:
            raise ValueError("limit and window must be positive")
        self.limit, self.window, self.calls = limit, window, deque()

    def allow(self, now):
        while self.calls and now - self.calls[0] >= self.window:
            self.calls.popleft()
        if len(self.calls) >= self.limit:
            return False
        self.calls.append(now)
        return True
'''
_TEST = """\


def test_window_{number}():
    limiter = Limiter({limit}, 10)
    allowed = [limiter.allow(now) for now in range({limit} + 2)]
    assert allowed.count(True) == {limit}, "no more than the limit"
    assert allowed[:{limit}] == [True] * {limit}
    assert not allowed[-1]
    assert limiter.allow(30) is True
    assert len(limiter.calls) == 1
    with pytest.raises(ValueError, match="positive"):
        Limiter(0, {number})
"""
THIRTY = "import pytest\n\nfrom solution import Limiter\n" + "".join(
    _TEST.format(number=number, limit=number % 5 + 1) for number in range(1, 31)
)

SUITES = {
    "2 tests": Job(code=DOUBLE, tests=TWO),
    "30 tests": Job(code=LIMITER, tests=THIRTY),
    "1 failing": Job(code=DOUBLE, tests=FAILING),
}
