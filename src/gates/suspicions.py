"""Ways in which a module could touch its own verdict, found in its text.

Legitimate code can need some of them, and hidden ones are not found: the walls of the sandbox do not rest on this. An
author is told of each kind once; what comes again is for somebody else to decide.
"""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from src.gates.equality import agrees_with_all
from src.gates.names import Names
from src.gates.source import lines_of, parse
from src.gates.verdict import Verdict

MARK = "suspicion: "
"""Begins the reason of a verdict that is escalated for one."""
_MOST = 20
_SHOWN = 80
_LONGEST_NAME = 300

_WHY = {
    "exit": "ends the process, and with it the test run",
    "pytest": "reaches for what runs the tests",
    "frames": "looks into the code that calls the module",
    "objects": "looks through the objects of the whole process",
    "native": "writes to memory past Python's rules",
    "tracing": "watches or steers the code that runs the tests",
    "tests": "looks for the tests or their surroundings",
    "equality": "agrees with everything that it is compared with",
    "builtins": "changes what every other module uses",
    "patching": "changes another module",
    "imports": "changes or hides what is imported",
    "pipes": "takes over or closes the pipes of the process",
    "signals": "acts when the module should no longer be at work",
    "code": "runs or replaces code that its text does not show",
}
"""What each kind is suspected of."""

_KIND_OF = {
    "exit": "os._exit os.abort os.kill os.killpg os.execl os.execle os.execlp os.execv os.execve os.execvp os.execvpe"
    " signal.raise_signal signal.pthread_kill faulthandler pytest.exit",
    "pytest": "pytest _pytest pluggy hypothesis unittest sys.modules",
    "frames": "sys._getframe sys._getframemodulename sys._current_frames inspect.stack inspect.currentframe"
    " inspect.trace inspect.getouterframes inspect.getinnerframes traceback.walk_stack traceback.extract_stack",
    "objects": "gc.get_objects gc.get_referrers gc.get_referents",
    "native": "ctypes _ctypes cffi",
    "tracing": "sys.settrace sys.setprofile sys.monitoring sys.addaudithook threading.settrace threading.setprofile"
    " threading.settrace_all_threads threading.setprofile_all_threads",
    "imports": "sys.meta_path sys.path_hooks sys.path_importer_cache importlib.reload importlib.machinery"
    " importlib.util.spec_from_loader importlib.util.module_from_spec importlib.abc runpy __import__",
    "pipes": "os.dup2 os.closerange",
    "signals": "atexit signal.signal signal.setitimer signal.alarm signal.set_wakeup_fd",
    "code": "types.CodeType types.FunctionType",
    "builtins": "__builtins__",
}
_REACHES = {name: kind for kind, names in _KIND_OF.items() for name in names.split()}
_ATTRIBUTES = {
    **dict.fromkeys(("f_back", "f_globals", "f_locals", "f_code", "tb_frame", "gi_frame", "cr_frame"), "frames"),
    **dict.fromkeys(("__code__", "__globals__"), "code"),
    **dict.fromkeys(("__file__", "co_filename"), "tests"),
}
_WORDS = {word: kind for name, kind in _REACHES.items() if "_" in (word := name.rpartition(".")[2])} | _ATTRIBUTES
"""What is looked up by its name as a text: `vars(os)["_exit"]`."""
_LOOKS_UP = frozenset({"getattr", "attrgetter", "methodcaller", "get", "pop", "__getattribute__", "__getitem__"})
_ANCESTORS = frozenset({"__base__", "__bases__", "__mro__", "mro"})
_OUTPUT = range(3)
"""The pipes that every process has."""
_ENDINGS = frozenset({"exit", "quit", "SystemExit", "KeyboardInterrupt", "GeneratorExit"})
_RUNS_CODE = frozenset({"exec", "eval", "compile"})
_LOOKS_FOR_TESTS = re.compile(
    r"(?:.*[\\/])?test_(?:solution)?|.*\bconftest\b.*|.*\btest_\w+\.pyc?\b.*|PYTEST_\w+|_?pytest|pytest11|.*/proc(?:/.*)?",
    re.S,
)


@dataclass(frozen=True)
class Suspicion:
    """One place of a module that could touch its verdict."""

    kind: str
    """What it is suspected of, as one word."""
    line: int
    """Line of the module."""
    text: str
    """What stands there, bounded."""

    @property
    def why(self) -> str:
        """What is suspected, where, in words."""
        return f"line {self.line}, `{self.text}`: it {_WHY[self.kind]}"


def suspicions(code: str) -> tuple[Suspicion, ...]:
    """What in `code` could touch the verdict, by line, at most twenty places. Code that does not parse has none."""
    tree = parse(code)
    if isinstance(tree, str):
        return ()
    lines = lines_of(code)
    found: dict[tuple[str, int], Suspicion] = {}
    for kind, line in _places(tree):
        text = " ".join(lines[line - 1].split())[:_SHOWN] if 0 < line <= len(lines) else ""
        found.setdefault((kind, line), Suspicion(kind, line, text.replace("`", "'")))
    return tuple(sorted(found.values(), key=lambda one: one.line)[:_MOST])


def judge_suspicions(found: tuple[Suspicion, ...], named: Collection[str]) -> Verdict:
    """What follows from `found`. `named`: kinds that this author was told of before, which are then escalated."""
    again = [one for one in found if one.kind in named]
    if again:
        return Verdict(tuple(f"{MARK}{one.why}, and came again" for one in _one_of_each(again)), escalate=True)
    return Verdict(
        tuple(
            f"The module is suspected of touching its own test run: {one.why}. Leave it out; if the request cannot be "
            "met without it, send it again and say why, and somebody else decides."
            for one in _one_of_each(list(found))
        )
    )


def _one_of_each(found: list[Suspicion]) -> list[Suspicion]:
    return list({one.kind: one for one in reversed(found)}.values())[::-1]


def _places(tree: ast.Module) -> Iterator[tuple[str, int]]:
    names = Names(tree, _REACHES)
    texts = _documentation(tree)
    for node in ast.walk(tree):
        if id(node) not in texts:
            yield from ((kind, getattr(node, "lineno", 0)) for kind in _kinds(node, names) if kind)
    yield from (("exit", line) for line in _exits_at_import(tree.body, names))


def _kinds(node: ast.AST, names: Names) -> Iterator[str]:
    """What `node` by itself is suspected of; empty words among it."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from map(_kind_of, names.brought_by(node))
        case ast.Constant(value=str()) | ast.BinOp():
            text = _word(node)
            yield "tests" if 0 < len(text) < _LONGEST_NAME and _LOOKS_FOR_TESTS.fullmatch(text) else ""
        case ast.Attribute() | ast.Name():
            yield from _of_name(node, names)
        case ast.Call():
            yield from _of_call(node, names)
            yield "equality" if agrees_with_all(node) else ""
        case ast.Subscript(slice=index):
            yield _WORDS.get(_word(index), "")
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("pytest_"):
            yield "pytest"
        case _ if agrees_with_all(node):
            yield "equality"


def _kind_of(dotted: str) -> str:
    """The kind of a dotted name or of the longest beginning of it that has one."""
    parts = dotted.split(".")
    return next((_REACHES[name] for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in _REACHES), "")


def _of_name(node: ast.Attribute | ast.Name, names: Names) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
        yield _ATTRIBUTES[node.attr]
    if isinstance(node, ast.Attribute) and node.attr == "__subclasses__" and _is_ancestor(node.value, names):
        yield "objects"
    if isinstance(node, ast.Name):
        yield {"__file__": "tests", "pytest_plugins": "pytest"}.get(node.id, "")
    yield _kind_of(names.dotted(node))
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        owner = names.dotted(node.value)
        yield from _changed(owner, names)


def _changed(owner: str, names: Names) -> Iterator[str]:
    """What the change of an attribute of `owner` is."""
    if owner.partition(".")[0] == "builtins" or names.is_builtin(owner):
        yield "builtins"
    elif names.is_foreign(owner):
        yield "patching"


def _of_call(node: ast.Call, names: Names) -> Iterator[str]:
    called = names.dotted(node.func)
    first = node.args[0] if node.args else None
    texts = [_word(argument) for argument in node.args[:_MOST]]
    if called.rpartition(".")[2] in _LOOKS_UP or (isinstance(node.func, ast.Attribute) and node.func.attr in _LOOKS_UP):
        yield from (_WORDS.get(text, "") for text in texts)
    if called in _RUNS_CODE and names.is_builtin(called):
        yield from _of_source(texts[0]) if texts and texts[0] else ["code"]
    elif called in {"setattr", "delattr"} and first is not None:
        yield from _changed(names.dotted(first), names)
    elif called == "getattr" and len(texts) > 1 and texts[1]:
        yield _kind_of(f"{names.dotted(node.args[0])}.{texts[1]}")
    elif called in {"importlib.import_module", "__import__"}:
        yield _kind_of(texts[0]) if texts and texts[0] else "imports"
    elif called == "os.close" and isinstance(first, ast.Constant) and first.value in _OUTPUT:
        yield "pipes"


def _of_source(text: str) -> Iterator[str]:
    """What a text is suspected of that is run as code."""
    tree = parse(text)
    if not isinstance(tree, str):
        yield from (kind for kind, _ in _places(tree))


def _word(node: ast.expr) -> str:
    """The text that a literal, or several joined by `+`, comes to; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and len(parts) < _MOST:
        if not (isinstance(node.right, ast.Constant) and isinstance(node.right.value, str)):
            return ""
        parts.append(node.right.value)
        node = node.left
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return ""
    return "".join((node.value, *reversed(parts)))


def _is_ancestor(owner: ast.expr, names: Names) -> bool:
    """Whether `owner` is what every class comes from, or is reached by going up from a class."""
    above = (getattr(part, "attr", "") for part in ast.walk(owner))
    return (names.dotted(owner) == "object" and names.is_builtin("object")) or any(name in _ANCESTORS for name in above)


def _exits_at_import(block: list[ast.stmt], names: Names) -> Iterator[int]:
    """Lines that end the interpreter while the module is imported; a program's own `__main__` part is not run."""
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) or _is_main(statement):
            continue
        match statement:
            case ast.Raise(exc=ast.expr() as ending) | ast.Expr(value=ast.Call() as ending) if _exits(ending, names):
                yield statement.lineno
        for _, part in ast.iter_fields(statement):
            for inner in part if isinstance(part, list) else ():
                if isinstance(inner, ast.stmt):
                    yield from _exits_at_import([inner], names)
                elif isinstance(inner, ast.ExceptHandler | ast.match_case):
                    yield from _exits_at_import(inner.body, names)


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _exits(node: ast.expr, names: Names) -> bool:
    called = names.dotted(node.func if isinstance(node, ast.Call) else node)
    return called == "sys.exit" or (called in _ENDINGS and names.is_builtin(called))


def _documentation(tree: ast.Module) -> set[int]:
    """Texts that stand alone: docstrings and the like."""
    alone = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {id(value) for value in alone if isinstance(value, ast.Constant)}
