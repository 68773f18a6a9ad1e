"""Two tests of our own, which run around those of the suite. sandbox/canary.py tells what they are for.

Their names, the words and the number are made up for each run and come with the job. The second fails without a
traceback, which would cost more than all the rest.
"""

import sys

import pytest

Honest, fail = AssertionError, pytest.fail
replaced = sys.modules["selfheal.seals"].taken[-1]
number, words = 0, ""


def passes() -> None:
    assert replaced() == []


def fails() -> None:
    chosen, told = number, "nothing"
    try:
        assert not chosen, words
    except Honest as error:
        told = str(error)
    fail(f"{told!r} {replaced()}", pytrace=False)
