"""The tests of a suite as pytest collects them by default, and how many cases each stands for."""

import ast
from collections.abc import Iterator, Mapping

from src.gates.source import FoundTest, FunctionNode, is_test_class, module_level, name_of

MOST_CASES = 10_000
"""Cases are not counted further; what is written out in a suite stays far below."""


def collect(tree: ast.Module) -> list[FoundTest]:
    """Every test in the order of the file; methods that a test class inherits from a class of the suite count too."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found: list[FoundTest] = []
    for statement in module_level(tree.body):
        if isinstance(statement, FunctionNode) and statement.name.startswith("test"):
            found.append(FoundTest(statement.name, statement))
        elif isinstance(statement, ast.ClassDef):
            found.extend(_in_class(statement, classes, statement.name))
    return found


def place(test: FoundTest) -> str:
    """Name and line of a test, as a reason tells them."""
    return f"`{test.name[:80]}` (line {test.function.lineno})"


def count_cases(tree: ast.Module, tests: list[FoundTest]) -> int:
    """Tests that pytest would run: a parametrised one counts once for each case that is written out."""
    lists = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    total = sum(1 for statement in tree.body if _is_state_machine(statement))
    for test in tests:
        cases = 1
        for decorator in (*test.function.decorator_list, *(test.owner.decorator_list if test.owner else ())):
            cases *= _parameters(decorator, lists)
        total += cases
        if total > MOST_CASES:
            return MOST_CASES
    return total


def parametrized(decorator: ast.expr) -> ast.Call | None:
    """The call of `pytest.mark.parametrize`, when `decorator` is one."""
    if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute):
        return decorator if decorator.func.attr == "parametrize" else None
    return None


def _in_class(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], path: str) -> Iterator[FoundTest]:
    if not is_test_class(node) and not _inherits_tests(node, classes):
        return
    if _is_switched_off(node):
        return
    for name, method in _methods(node, classes, frozenset()).items():
        yield FoundTest(f"{path}::{name}", method, node)
    for inner in node.body:
        if isinstance(inner, ast.ClassDef):
            yield from _in_class(inner, {}, f"{path}::{inner.name}")


def _inherits_tests(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
    """Whether a class of another name is a `TestCase` by way of another class of the suite."""
    bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes]
    return any(base is not node and any("TestCase" in name_of(up) for up in base.bases) for base in bases)


def _methods(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str]) -> dict[str, FunctionNode]:
    found: dict[str, FunctionNode] = {}
    for base in node.bases:
        name = base.id if isinstance(base, ast.Name) else ""
        if name in classes and name not in seen and len(seen) < 5:
            found |= _methods(classes[name], classes, seen | {name, node.name})
    own = {item.name: item for item in node.body if isinstance(item, FunctionNode) and item.name.startswith("test")}
    return found | own


def _is_switched_off(node: ast.ClassDef) -> bool:
    """Whether pytest passes a class over: `__test__ = False`."""
    return any(
        isinstance(item, ast.Assign)
        and isinstance(item.value, ast.Constant)
        and not item.value.value
        and any(isinstance(target, ast.Name) and target.id == "__test__" for target in item.targets)
        for item in node.body
    )


def _is_state_machine(statement: ast.stmt) -> bool:
    """`TestQueue = QueueMachine.TestCase`: how Hypothesis makes a test of a state machine."""
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Attribute)
        and statement.value.attr == "TestCase"
    )


def _parameters(decorator: ast.expr, lists: Mapping[str, ast.expr]) -> int:
    call = parametrized(decorator)
    if call is None:
        return 1
    named = [keyword.value for keyword in call.keywords if keyword.arg == "argvalues"]
    values = call.args[1:2] or named
    return _length(values[0], lists, 0) if values else 1


def _length(values: ast.expr, lists: Mapping[str, ast.expr], depth: int) -> int:
    """Number of cases as far as they are written out; 1 where it takes running the suite to know."""
    if depth > 4:
        return 1
    if isinstance(values, ast.Name) and values.id in lists:
        return _length(lists[values.id], lists, depth + 1)
    if isinstance(values, ast.List | ast.Tuple | ast.Set):
        return sum(
            _length(item.value, lists, depth + 1) if isinstance(item, ast.Starred) else 1 for item in values.elts
        )
    if isinstance(values, ast.BinOp) and isinstance(values.op, ast.Add):
        return _length(values.left, lists, depth + 1) + _length(values.right, lists, depth + 1)
    if isinstance(values, ast.ListComp) and len(values.generators) == 1 and not values.generators[0].ifs:
        return _length(values.generators[0].iter, lists, depth + 1)
    if isinstance(values, ast.Call) and isinstance(values.func, ast.Name):
        return _length_of_call(values, values.func.id, lists, depth)
    return 1


def _length_of_call(call: ast.Call, name: str, lists: Mapping[str, ast.expr], depth: int) -> int:
    if name == "range" and all(isinstance(bound, ast.Constant) and type(bound.value) is int for bound in call.args):
        bounds = [bound.value for bound in call.args if isinstance(bound, ast.Constant) and type(bound.value) is int]
        return min(_steps(bounds), MOST_CASES)
    if name in {"list", "sorted", "enumerate", "zip"} and call.args:
        return _length(call.args[0], lists, depth + 1)
    return 1


def _steps(bounds: list[int]) -> int:
    start, stop = (0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1]) if len(bounds) == 2 else (0, 1)
    return max(stop - start, 0)
