"""Whether a suite writes where it may not: anywhere but in `tmp_path`."""

import ast
from collections.abc import Iterator, Mapping

from src.gates.outline import Outline, shown
from src.gates.source import name_of

OPENERS = {"open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "tarfile.open", "zipfile.ZipFile"}
WRITERS = {
    **dict.fromkeys(
        ("remove", "unlink", "mkdir", "makedirs", "rmdir", "removedirs", "truncate", "chmod", "utime"), (0,)
    ),
    **dict.fromkeys(("rename", "renames", "replace"), (0, 1)),
    **dict.fromkeys(("symlink", "link"), (1,)),
}
"""Functions of `os` that write, and which of their arguments are written to."""

TREE_WRITERS = {"copy": (1,), "copy2": (1,), "copyfile": (1,), "copytree": (1,), "move": (0, 1), "rmtree": (0,)}
"""The same for `shutil`."""

PATH_WRITERS = {"write_text", "write_bytes", "touch", "mkdir", "unlink", "rmdir", "rename", "replace", "symlink_to"}
PLACES = {"os.getcwd", "os.path.expanduser", "pathlib.Path.cwd", "pathlib.Path.home", "pathlib.Path"}
"""Calls that name a place of the machine; `Path` when it is made of a text."""

JOINING = {"os.path.join", "os.path.abspath", "os.path.dirname", "os.fspath", "str"}
ALLOWED = {"/dev/null", ":memory:", ""}
MOST_STEPS = 50


def foreign_writes(outline: Outline) -> Iterator[str]:
    """A reason for each write to a place that the suite names itself. None where it cannot be read off."""
    if any(isinstance(node, ast.Constant) and node.value in {"builtins.open", "open"} for node in outline.nodes):
        return  # the suite puts a fake in the place of `open`
    places = _Places(outline)
    for node in outline.nodes:
        if isinstance(node, ast.Call):
            for target in _targets(node, outline):
                if places.is_foreign(target, 0):
                    yield (
                        f"{outline.place(node)}: `{shown(node)}` writes outside `tmp_path`; "
                        "take the fixture `tmp_path` and write below it."
                    )
                    break


def _targets(call: ast.Call, outline: Outline) -> list[ast.expr]:
    """What a call writes to; nothing when it does not write."""
    name = outline.meaning(call.func)
    room, _, last = name.rpartition(".")
    if name in OPENERS:
        return call.args[:1] if _writes(call, 1) else []
    if name == "sqlite3.connect":
        return call.args[:1]
    writers: Mapping[str, tuple[int, ...]] = {"os": WRITERS, "shutil": TREE_WRITERS}.get(room, {})
    if last in writers:
        return [call.args[at] for at in writers[last] if at < len(call.args)]
    return _receiver(call)


def _receiver(call: ast.Call) -> list[ast.expr]:
    """The path whose method is called, when that method writes. A text has a `replace` too; it is not a path."""
    if not isinstance(call.func, ast.Attribute) or isinstance(call.func.value, ast.Constant):
        return []
    writes = call.func.attr in PATH_WRITERS or (call.func.attr == "open" and _writes(call, 0))
    return [call.func.value] if writes else []


def _writes(call: ast.Call, at: int) -> bool:
    modes = call.args[at : at + 1] or [word.value for word in call.keywords if word.arg == "mode"]
    return any(
        isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set("wax+").isdisjoint(mode.value)
        for mode in modes
    )


class _Places:
    """Where the paths of a suite come from."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._moves_to_tmp = any(isinstance(node, ast.Call) and name_of(node.func) == "chdir" for node in outline.nodes)
        self._values: dict[str, list[ast.expr]] = {}
        for node in outline.nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._values.setdefault(name_of(target), []).append(node.value)
        self._parameters = {node.arg for node in outline.nodes if isinstance(node, ast.arg)}

    def is_foreign(self, path: ast.expr, steps: int) -> bool:
        """Whether `path` is plainly a place that the suite names itself."""
        if steps > MOST_STEPS:
            return False
        if isinstance(path, ast.Constant):
            return isinstance(path.value, str) and self._is_foreign_text(path.value)
        if isinstance(path, ast.JoinedStr):
            return bool(path.values) and self.is_foreign(path.values[0], steps + 1)
        if isinstance(path, ast.FormattedValue):
            return self.is_foreign(path.value, steps + 1)
        if isinstance(path, ast.BinOp):
            return self.is_foreign(path.left, steps + 1)
        if isinstance(path, ast.Name):
            return path.id == "__file__" or self._is_foreign_name(path.id, steps)
        if isinstance(path, ast.Attribute) and path.attr in {"parent", "name"}:
            return self.is_foreign(path.value, steps + 1)
        return isinstance(path, ast.Call) and self._is_foreign_call(path, steps)

    def _is_foreign_text(self, text: str) -> bool:
        return text not in ALLOWED and (text.startswith(("/", "~")) or not self._moves_to_tmp)

    def _is_foreign_name(self, name: str, steps: int) -> bool:
        values = self._values.get(name, [])
        if name in self._parameters or len(values) != 1:  # several values, or one that comes from elsewhere
            return False
        return self.is_foreign(values[0], steps + 1)

    def _is_foreign_call(self, call: ast.Call, steps: int) -> bool:
        name = self._outline.meaning(call.func)
        if name in JOINING or (name == "pathlib.Path" and call.args):
            return bool(call.args) and self.is_foreign(call.args[0], steps + 1)
        if name in PLACES:
            return not (self._moves_to_tmp and name in {"os.getcwd", "pathlib.Path.cwd", "pathlib.Path"})
        method = isinstance(call.func, ast.Attribute) and call.func.attr in {"resolve", "absolute", "joinpath"}
        return method and isinstance(call.func, ast.Attribute) and self.is_foreign(call.func.value, steps + 1)
