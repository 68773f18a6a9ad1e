"""Whether each test of a suite can fail, and by something that the module does."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from src.gates.collected import place
from src.gates.outline import Outline
from src.gates.reach import alive, leading_to, mentions
from src.gates.source import FoundTest, FunctionNode, name_of
from src.gates.tautologies import always_true, claim_of

CONTEXTS = {"raises", "warns", "deprecated_call", "assertRaises", "assertWarns", "assertLogs", "RaisesGroup"}
"""Checks that need a block or a callable: alone on a line they do nothing."""

EXISTENCE = {"callable", "isclass", "isfunction"}


def tests_that_cannot_fail(outline: Outline) -> Iterator[str]:
    """A reason for each test that checks nothing, or nothing of the module."""
    look = _Look(outline)
    told: set[int] = set()
    for test in outline.tests:
        if id(test.function) in told:
            continue
        told.add(id(test.function))
        if why := _never_runs(test):
            yield f"{place(test)} {why}."
        elif not look.can_fail(test):
            if not _has_tautology(test):  # which has a reason of its own
                yield f"{place(test)} cannot fail: {_why_not(test, outline)}."
        elif not look.reaches_module(test):
            yield (
                f"{place(test)} uses nothing of `{outline.module_name}`, so no module can fail it; "
                "assert what a function of the module returns."
            )


def _never_runs(test: FoundTest) -> str:
    """Why pytest does not run the body of a test; such a test is red or green whatever it says."""
    bases = " ".join(ast.unparse(base) for base in test.owner.bases) if test.owner else ""
    if isinstance(test.function, ast.AsyncFunctionDef) and "Isolated" not in bases:
        return "is `async`, which pytest does not run by itself; write `def` and call `asyncio.run(…)` in it"
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in alive(test.function.body)):
        return "yields, so its body never runs; write it without `yield`"
    return ""


def _has_tautology(test: FoundTest) -> bool:
    claims = (claim_of(node) for node in ast.walk(test.function))
    return any(claim is not None and always_true(claim) for claim in claims)


def _why_not(test: FoundTest, outline: Outline) -> str:
    nodes = list(alive(test.function.body))
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare):
            return f"write `assert` before the comparison on line {node.lineno}"
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Compare | ast.BoolOp):
            return f"it returns its comparison on line {node.lineno}; write `assert` in the place of `return`"
        if isinstance(node, ast.Expr) and _is_idle(node.value):
            return f"the check on line {node.lineno} stands alone; put it in a `with` around the call that must fail"
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute) and "assert" in node.value.attr:
            return f"`{node.value.attr[:40]}` on line {node.lineno} is named but not called; add `(…)`"
        if isinstance(node, ast.Assert) and _only_exists(node.test, outline):
            return f"line {node.lineno} says only that a name exists; call it and assert what it returns"
    if any(isinstance(node, ast.Assert) for node in ast.walk(test.function)):
        return "no assertion in it that could fail is reached; assert what the module returns, outside of dead code"
    return "it has no assertion; assert what the module returns, or expect its error with `pytest.raises`"


class _Look:
    """Which names of a suite lead on to a check, and which to the module."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._classes = [node for node in outline.nodes if isinstance(node, ast.ClassDef)]

    def can_fail(self, test: FoundTest) -> bool:
        nodes = list(alive(test.function.body))
        if any(isinstance(node, ast.Raise) for node in nodes) or self._checks(nodes):
            return True
        about = (test.function.args, *test.function.decorator_list)
        led = mentions([*nodes, *(part for item in about for part in ast.walk(item))])
        return not self._checking.isdisjoint(led) or any(self._checks(ast.walk(item)) for item in about)

    def reaches_module(self, test: FoundTest) -> bool:
        return (
            self._used_everywhere
            or not self._touching.isdisjoint(mentions(ast.walk(test.function)))
            or (test.owner is not None and self._prepares_with_module(test.owner))
        )

    @cache  # noqa: B019  # lives as long as the suite is looked at
    def _prepares_with_module(self, owner: ast.ClassDef) -> bool:
        """Whether a method finds the module in what its class has prepared: everything in it that is no test."""
        others = [node for node in owner.body if not (isinstance(node, FunctionNode) and node.name.startswith("test"))]
        parts = [*owner.bases, *owner.decorator_list, *others]
        return any(not self._touching.isdisjoint(mentions(ast.walk(part))) for part in parts)

    @cached_property
    def _checking(self) -> set[str]:
        goals: set[str] = set()
        edges: defaultdict[str, set[str]] = defaultdict(set)
        for function in self._outline.functions:
            nodes = list(alive(function.body))
            if self._checks(nodes) or any(_raises_assertion(node) for node in nodes):
                goals.add(function.name)
            edges[function.name].update(mentions([*nodes, *ast.walk(function.args)]))
        for node in self._classes:
            for inner in node.body:
                if isinstance(inner, FunctionNode) and not inner.name.startswith("test"):
                    edges[node.name].add(inner.name)
        return leading_to(goals, edges)

    @cached_property
    def _touching(self) -> set[str]:
        module = self._outline.module_name
        goals = {*self._outline.taken, *self._outline.handles, module}
        edges: defaultdict[str, set[str]] = defaultdict(set)
        for node in self._outline.nodes:
            if isinstance(node, FunctionNode | ast.ClassDef):
                edges[node.name].update(mentions(ast.walk(node)))
            elif isinstance(node, ast.Assign | ast.AnnAssign | ast.With | ast.For):
                bound = {part.id for part in _bound(node)}
                sources = set(mentions(part for source in _sources(node) for part in ast.walk(source)))
                for name in bound:
                    edges[name].update(sources)
            elif isinstance(node, ast.ImportFrom) and node.module == module and node.names[0].name == "*":
                self.__dict__["_used_everywhere"] = True
        for function in self._outline.functions:
            for part in ast.walk(function):
                if isinstance(part, ast.Global):
                    for name in part.names:
                        edges[name].add(function.name)
        return leading_to(goals, edges)

    @cached_property
    def _used_everywhere(self) -> bool:
        """Whether an automatic fixture brings the module into every test."""
        return any(
            not self._touching.isdisjoint(mentions(ast.walk(function)))
            for function in self._outline.functions
            if any("autouse" in ast.unparse(decorator) for decorator in function.decorator_list)
        )

    def _checks(self, nodes: Iterable[ast.AST]) -> bool:
        listed = list(nodes)
        idle = {id(node.value) for node in listed if isinstance(node, ast.Expr) and _is_idle(node.value)}
        return any(id(node) not in idle and self._is_check(node) for node in listed)

    def _is_check(self, node: ast.AST) -> bool:
        claim = claim_of(node)
        if claim is not None and (always_true(claim) or _only_exists(claim, self._outline)):
            return False
        if isinstance(node, ast.Assert):
            return True
        if not isinstance(node, ast.Call):
            return False
        name = name_of(node.func)
        return (
            name in CONTEXTS
            or name.startswith("assert")
            or self._outline.meaning(node.func)
            in {
                "pytest.fail",
                "self.fail",
            }
        )


def _is_idle(node: ast.expr) -> bool:
    """Whether a call only makes a context for errors, with nothing that could raise them."""
    return isinstance(node, ast.Call) and name_of(node.func) in CONTEXTS and len(node.args) < 2


def _only_exists(claim: ast.expr, outline: Outline) -> bool:
    """Whether an assertion says of a name of the module only that it is there, which the import has shown."""
    if isinstance(claim, ast.Call) and claim.args:
        name, about = name_of(claim.func), outline.meaning(claim.args[0])
        return (name in EXISTENCE and _is_taken(about, outline)) or (name == "hasattr" and about == outline.module_name)
    if isinstance(claim, ast.Compare) and len(claim.ops) == 1 and isinstance(claim.ops[0], ast.IsNot):
        right = claim.comparators[0]
        is_none = isinstance(right, ast.Constant) and right.value is None
        return is_none and _is_taken(outline.meaning(claim.left), outline)
    return _is_taken(outline.meaning(claim), outline)


def _is_taken(meaning: str, outline: Outline) -> bool:
    """Whether it is the module, or a function or class of it; a constant (`LIMIT`) may have any value."""
    module, _, name = meaning.rpartition(".")
    return meaning == outline.module_name or (module == outline.module_name and not name.isupper())


def _raises_assertion(node: ast.AST) -> bool:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return name_of(error) == "AssertionError"


def _bound(node: ast.AST) -> Iterator[ast.Name]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


def _sources(node: ast.Assign | ast.AnnAssign | ast.With | ast.For) -> list[ast.AST]:
    if isinstance(node, ast.With):
        return list(node.items)
    if isinstance(node, ast.For):
        return [node.iter]
    return [node.value] if node.value else []
