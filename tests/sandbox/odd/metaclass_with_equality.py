"""Has classes that compare by a metaclass, and objects that compare only with their like.

expect: passed
within: 1
"""
# --- module ---
class ByName(type):
    def __eq__(cls, other):
        return isinstance(other, ByName) and cls.__name__ == other.__name__

    def __hash__(cls):
        return hash(cls.__name__)


class Number(metaclass=ByName):
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value if isinstance(other, Number) else NotImplemented

    def __hash__(self):
        return hash(self.value)


def double(number):
    return Number(2 * number)
# --- suite ---
from solution import Number, double


def test_two():
    assert double(2) == Number(4)
    assert double(2) != Number(5)
    assert double(2).value == 4


def test_class():
    assert Number == type(double(1))
