"""Which calls of the suite a definition can take."""

import pytest

from src.gates.candidate import CandidateFacts, check_candidate


def reasons(code: str, test: str) -> tuple[str, ...]:
    suite = f"import pytest\nimport solution\nfrom solution import make\n\n\ndef test_it():\n    {test}\n"
    return check_candidate(code, CandidateFacts("solution", suite)).reasons


CANNOT = {
    "too many": ("def make(a):\n    return a\n", "make(1, 2)", "takes at most 1 positional arguments, not 2"),
    "too few": ("def make(a, b):\n    return a\n", "make(1)", "wants `b` as well"),
    "a name it does not know": ("def make(a):\n    return a\n", "make(1, size=2)", "takes no argument `size`"),
    "given twice": ("def make(a):\n    return a\n", "make(1, a=2)", "is given `a` twice"),
    "by position what has to be named": ("def make(*, a):\n    return a\n", "make(1)", "takes at most 0"),
    "by name what has a place only": ("def make(a, /):\n    return a\n", "make(a=1)", "takes no argument `a`"),
    "named and missing": ("def make(a, *, b):\n    return a\n", "make(1)", "wants `b` as well"),
    "through the module": ("def make(a):\n    return a\n", "solution.make()", "wants `a` as well"),
    "a coroutine": ("async def make(a):\n    return a\n", "make()", "wants `a` as well"),
    "a class": ("class make:\n    def __init__(self, a):\n        self.a = a\n", "make()", "wants `a` as well"),
    "a class that takes nothing": ("class make:\n    x = 1\n", "make(1)", "takes at most 0"),
    "an exception": (
        "class make(Exception):\n    def __init__(self, a):\n        self.a = a\n",
        "make(1, 2)",
        "takes at most 1",
    ),
    "a data class": (
        "from dataclasses import dataclass\nfrom typing import ClassVar\n"
        "@dataclass\nclass make:\n    a: int\n    n: ClassVar[int] = 0\n    b: int = 2\n",
        "make(1, 2, 3)",
        "takes at most 2",
    ),
}


@pytest.mark.parametrize(("code", "call", "why"), CANNOT.values(), ids=CANNOT)
def test_a_call_that_cannot_be_made_is_refused_with_both_sides(code: str, call: str, why: str) -> None:
    (reason,) = reasons(code, f"assert {call}")
    assert reason.startswith("The suite calls `make` in its line 7 with ")
    assert why in reason


CAN = {
    "a default": ("def make(a, b=1):\n    return a\n", "make(1)"),
    "any number": ("def make(*parts):\n    return parts\n", "make(1, 2, 3)"),
    "any name": ("def make(**options):\n    return options\n", "make(size=1)"),
    "a place and the same name among others": ("def make(a, /, **more):\n    return a\n", "make(1, a=2)"),
    "spread arguments": ("def make(a, b):\n    return a\n", "make(*[1, 2])"),
    "spread names": ("def make(a, b):\n    return a\n", "make(**{'a': 1, 'b': 2})"),
    "a decorator": ("import functools\n@functools.cache\ndef make(a):\n    return a\n", "make()"),
    "defined twice": ("def make(a):\n    return a\ndef make(a, b):\n    return a\n", "make(1, 2)"),
    "defined on a condition": ("if True:\n    def make(a):\n        return a\n", "make()"),
    "not a function": ("make = print\n", "make(1, 2, 3)"),
    "a metaclass": ("class M(type):\n    pass\nclass make(metaclass=M):\n    x = 1\n", "make(1)"),
    "a base that is not known": ("from enum import Enum\nclass make(Enum):\n    A = 1\n", "make(1)"),
    "a named tuple": ("from typing import NamedTuple\nclass make(NamedTuple):\n    a: int\n", "make(1)"),
    "its own __new__": ("class make:\n    def __new__(cls, a):\n        return object()\n", "make(1)"),
    "a data class with fields by name": (
        "from dataclasses import dataclass\n@dataclass(kw_only=True)\nclass make:\n    a: int\n",
        "make(a=1)",
    ),
    "an initialiser with stars": ("class make:\n    def __init__(*args):\n        pass\n", "make(1, 2)"),
    "an exception without one": ("class make(Exception):\n    pass\n", "make(1, 2)"),
    "an abstract base": ("import abc\nclass make(abc.ABC):\n    def run(self):\n        return 1\n", "make(1)"),
}


@pytest.mark.parametrize(("code", "call"), CAN.values(), ids=CAN)
def test_what_fits_or_is_unclear_passes(code: str, call: str) -> None:
    assert reasons(code, f"assert {call}") == ()


@pytest.mark.parametrize(
    "test",
    [
        "with pytest.raises(TypeError):\n        make()",
        "pytest.raises(TypeError, lambda: make())",
        "try:\n        make()\n    except TypeError:\n        pass",
        "make = print\n    make()",
        "[make() for make in [print]]",
    ],
)
def test_a_wrong_call_that_may_be_meant_or_is_of_something_else_passes(test: str) -> None:
    assert reasons("def make(a):\n    return a\n", test) == ()
