"""Python's parser, one source at a time.

Until Python 3.13 the interpreter counts in one place, for all threads, how deep it is while it hands out a tree; two
that parse at once can end in `SystemError: AST constructor recursion depth mismatch` (python/cpython, issue 106905).
Besides, `catch_warnings` swaps a list that belongs to the whole process.
"""

import ast
import threading
import warnings
from typing import Any

_one_at_a_time = threading.Lock()


def tree_of(source: str, *, compiled: bool = False) -> ast.Module:
    """The syntax tree of a module. Warns of nothing, for the source is not ours.

    `compiled`: refuse also what the grammar allows and the compiler does not, such as `return` outside a function.
    Raises what `ast.parse` and `compile` raise.
    """
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
        if compiled:
            compile(source, "<source>", "exec", dont_inherit=True)
        return tree


def literal_of(source: str) -> Any:
    """The value of a literal. Raises what `ast.literal_eval` raises."""
    with _one_at_a_time, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source.lstrip(" \t"), mode="eval")
    return ast.literal_eval(tree)
