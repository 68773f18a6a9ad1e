"""Sources are parsed one at a time, whoever asks."""

import ast
from concurrent.futures import ThreadPoolExecutor

import pytest

from sandbox.syntax import literal_of, tree_of

NESTED = "x = " + "(" * 60 + "1" + ",)" * 60


def test_many_threads_may_parse_at_once() -> None:
    with ThreadPoolExecutor(16) as pool:
        trees = list(pool.map(tree_of, [NESTED] * 400))
    assert {ast.dump(tree) for tree in trees} == {ast.dump(ast.parse(NESTED))}


def test_what_only_the_compiler_refuses_is_refused_where_that_is_asked() -> None:
    assert tree_of("return 1")
    with pytest.raises(SyntaxError, match="outside function"):
        tree_of("return 1", compiled=True)


def test_a_literal_is_read_and_nothing_else() -> None:
    assert literal_of("  {'a': [1, 2]}") == {"a": [1, 2]}
    with pytest.raises(ValueError, match="malformed"):
        literal_of("open('x')")
