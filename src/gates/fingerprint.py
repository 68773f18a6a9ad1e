"""When are two candidates the same?"""

import ast
import hashlib

from src.gates.source import parse

_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def fingerprint(code: str) -> str:
    """A digest that layout, comments and docstrings do not change. Code that does not parse is digested as text."""
    return hashlib.sha256(_essence(code).encode("utf-8", "surrogatepass")).hexdigest()


def _essence(code: str) -> str:
    tree = parse(code)
    if isinstance(tree, str):
        return code
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    try:
        return ast.dump(tree)
    except RecursionError:  # deeper than dump can follow, though not than the parser
        return code
