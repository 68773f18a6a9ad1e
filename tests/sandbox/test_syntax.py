"""Sources are parsed one at a time, whoever asks."""

import ast
import gc
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox.syntax import literal_of, tree_of

NESTED = ("x = " + "(" * 60 + "1" + ",)" * 60 + "\n") * 20


class Garbage:
    """Is collected in the middle of whatever is going on, and lets another thread go on there."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0)


@pytest.fixture
def _collected_often() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(20)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_collected_often")
def test_many_threads_may_parse_at_once() -> None:
    def parse(_number: int) -> str:
        for _ in range(3):
            Garbage()
        return ast.dump(tree_of(NESTED))

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(parse, range(60)))) == 1


def test_what_only_the_compiler_refuses_is_refused_where_that_is_asked() -> None:
    assert tree_of("return 1")
    with pytest.raises(SyntaxError, match="outside function"):
        tree_of("return 1", compiled=True)


def test_a_literal_is_read_and_nothing_else() -> None:
    assert literal_of("  {'a': [1, 2]}") == {"a": [1, 2]}
    with pytest.raises(ValueError, match="malformed"):
        literal_of("open('x')")
