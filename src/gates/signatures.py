"""Can the suite's calls be made? Whatever is unclear counts as yes: the container will tell."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from src.gates.definitions import FUNCTIONS, Definition, bases, decorators, last_name

_PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Exception", "ValueError", "RuntimeError", "KeyError"})
"""Bases that leave the call to the class's own `__init__`."""
_SHOWN = 80


@dataclass(frozen=True)
class Call:
    """A call of a name that the suite takes from the module."""

    name: str
    """What is called."""
    line: int
    """Line of the suite."""
    positional: int
    """How many positional arguments there are."""
    keywords: tuple[str, ...]
    """Names of the others."""


@dataclass(frozen=True)
class Signature:
    """What a function takes, without `self`."""

    positional: tuple[str, ...]
    """Parameters that can be given by position, in order."""
    by_name: frozenset[str]
    """Parameters that can be given by name."""
    required: frozenset[str]
    """Parameters without a default."""
    more: bool
    """Whether it takes any number of positional arguments (`*args`)."""
    any_name: bool
    """Whether it takes any name (`**kwargs`)."""

    def obstacle(self, call: Call) -> str:
        """Why `call` cannot be made; empty when it can."""
        if call.positional > len(self.positional) and not self.more:
            return f"takes at most {len(self.positional)} positional arguments, not {call.positional}"
        by_position = self.positional[: call.positional]
        for keyword in call.keywords:
            if keyword in by_position and keyword in self.by_name:
                return f"is given `{keyword}` twice"
            if keyword not in self.by_name and not self.any_name:
                return f"takes no argument `{keyword}`"
        missing = sorted(self.required - set(by_position) - set(call.keywords))
        return f"wants {', '.join(f'`{name}`' for name in missing)} as well" if missing else ""


def misfits(suite: ast.Module, module_name: str, defined: dict[str, Definition]) -> list[str]:
    """One reason for each name that the suite calls in a way its definition cannot take."""
    reasons: dict[str, str] = {}
    for call in calls(suite, module_name):
        signature = signature_of(defined[call.name]) if call.name in defined else None
        if signature is None or call.name in reasons:
            continue
        if obstacle := signature.obstacle(call):
            reasons[call.name] = (
                f"The suite calls `{call.name}` in its line {call.line} with {_told(call)}, "
                f"but the module's `{call.name}` {obstacle}; give it the signature that the suite uses."
            )
    return list(reasons.values())


def _told(call: Call) -> str:
    named = ", ".join(call.keywords)[:_SHOWN]
    return f"{call.positional} positional arguments" + (f" and {named}" if named else "")


def calls(suite: ast.Module, module_name: str) -> Iterator[Call]:
    """Calls with arguments that the text shows, outside of what is expected to fail."""
    by_name, handles = _imported(suite, module_name)
    again = _bound_again(suite)
    for node in _expected_to_work(suite):
        if not isinstance(node, ast.Call):
            continue
        name = ""
        if isinstance(node.func, ast.Name) and node.func.id not in again:
            name = by_name.get(node.func.id, "")
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            handle = node.func.value.id
            name = node.func.attr if handle in handles and handle not in again else ""
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if name and not starred and all(keyword.arg for keyword in node.keywords):
            names = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
            yield Call(name, node.lineno, len(node.args), names)


def _imported(suite: ast.Module, module_name: str) -> tuple[dict[str, str], set[str]]:
    by_name: dict[str, str] = {}
    handles: set[str] = set()
    for node in ast.walk(suite):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == module_name:
            by_name |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            handles |= {alias.asname or alias.name for alias in node.names if alias.name == module_name}
    return by_name, handles


def _bound_again(suite: ast.Module) -> set[str]:
    """Names that mean something else somewhere in the suite: parameters, variables, definitions of its own."""
    found: set[str] = set()
    for node in ast.walk(suite):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, Definition):
            found.add(node.name)
        elif isinstance(node, ast.Attribute | ast.Constant) and isinstance(getattr(node, "ctx", None), ast.Store):
            found.add(last_name(node))
    return found


def _expected_to_work(node: ast.AST) -> Iterator[ast.AST]:
    """Every node but those within `raises`, a `try` with handlers or a marked test: wrong calls may be meant there."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if not _may_fail(current):
            yield current
            waiting.extend(reversed(list(ast.iter_child_nodes(current))))


def _may_fail(node: ast.AST) -> bool:
    if isinstance(node, ast.Try | ast.TryStar):
        return bool(node.handlers)
    if isinstance(node, ast.With | ast.AsyncWith):
        return any(_expects(last_name(item.context_expr)) for item in node.items)
    if isinstance(node, ast.Call):
        return _expects(last_name(node))
    return isinstance(node, Definition) and bool(decorators(node) & {"xfail", "skip", "skipif"})


def _expects(name: str) -> bool:
    return "raises" in name.lower() or name == "suppress"


def signature_of(node: Definition) -> Signature | None:
    """What a definition takes when it is called; `None` when its text does not tell."""
    if isinstance(node, ast.ClassDef):
        return _of_class(node)
    return None if node.decorator_list else _of_arguments(node.args, skip=0)


def _of_class(node: ast.ClassDef) -> Signature | None:
    own = {part.name: part for part in node.body if isinstance(part, FUNCTIONS)}
    known = bases(node) <= _PLAIN_BASES and not node.keywords and "__new__" not in own
    if not known or _sets_init(node):
        return None
    if node.decorator_list:
        return _of_dataclass(node) if decorators(node) == {"dataclass"} and not node.bases else None
    init = own.get("__init__")
    if init is not None:
        return None if init.decorator_list else _of_arguments(init.args, skip=1)
    return None if node.bases else Signature((), frozenset(), frozenset(), more=False, any_name=False)


def _sets_init(node: ast.ClassDef) -> bool:
    """Whether `__init__` is more than one plain method."""
    names = [part.name for part in node.body if isinstance(part, FUNCTIONS)]
    stored = any(isinstance(part, ast.Name) and part.id in {"__init__", "__new__"} for part in ast.walk(node))
    return stored or names.count("__init__") > 1


def _of_arguments(arguments: ast.arguments, skip: int) -> Signature | None:
    every = [*arguments.posonlyargs, *arguments.args]
    if len(every) < skip:
        return None  # `def __init__(*args)`
    positional = [argument.arg for argument in every]
    defaults = len(arguments.defaults)
    by_name = [argument.arg for argument in arguments.args if argument.arg in positional[skip:]]
    only_named = [argument.arg for argument in arguments.kwonlyargs]
    needed = [name for name, default in zip(only_named, arguments.kw_defaults, strict=True) if default is None]
    return Signature(
        positional=tuple(positional[skip:]),
        by_name=frozenset([*by_name, *only_named]),
        required=frozenset([*positional[skip : len(positional) - defaults], *needed]),
        more=arguments.vararg is not None,
        any_name=arguments.kwarg is not None,
    )


def _of_dataclass(node: ast.ClassDef) -> Signature | None:
    words = {keyword.arg for part in ast.walk(node) if isinstance(part, ast.Call) for keyword in part.keywords}
    marks = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    methods = {part.name for part in node.body if isinstance(part, FUNCTIONS)}
    if words & {"kw_only", "init"} or "KW_ONLY" in marks or "__init__" in methods:
        return None
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]
    if any(isinstance(part.annotation, ast.Constant) or "KW_ONLY" in last_name(part.annotation) for part in fields):
        return None
    fields = [part for part in fields if last_name(part.annotation) != "ClassVar"]
    names = tuple(part.target.id for part in fields if isinstance(part.target, ast.Name))
    required = {part.target.id for part in fields if part.value is None and isinstance(part.target, ast.Name)}
    return Signature(names, frozenset(names), frozenset(required), more=False, any_name=False)
