"""Imports go only downwards, and each boundary of the house holds (DESIGN.md, "Rooms")."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = [
    {"main", "studio"},
    {"cli"},
    {"runs", "artifacts"},
    {"graph"},
    {"nodes", "gated", "edges"},
    {"failures", "report"},
    {"reported"},
    {"gates", "parsing", "models"},
    {"context", "prompts", "forecast"},
    {"usage", "audit", "approvals", "events", "ledger", "lessons", "meaning"},
    {"state", "candidates", "open_points", "config", "setting_types", "errors", "policy", "reply", "text"},
]
"""Rooms of `src`, from the top of the house to the bottom; a room imports from its own floor or from below."""

FLOOR = {room: depth for depth, rooms in enumerate(LAYERS) for room in rooms}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, wherever in the file it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0:
                yield node.module or ""
            else:
                assert "guest" in path.parts, (
                    f"{path}: imports are absolute, but where the guest's files have another home"
                )


def room_of(path: Path) -> str:
    first = path.relative_to(ROOT / "src").parts[0]
    return first.removesuffix(".py")


def test_every_room_of_src_has_a_floor() -> None:
    assert {room_of(path) for path in modules("src")} - {"__init__"} == set(FLOOR)


@pytest.mark.parametrize("folder", ["src", "sandbox"])
def test_the_house_does_not_know_its_examples(folder: str) -> None:
    known = [path for path in modules(folder) if any(name.split(".")[0] == "examples" for name in imports(path))]
    assert not known


@pytest.mark.parametrize("path", modules("src"), ids=lambda path: str(path.relative_to(ROOT)))
def test_src_imports_only_downwards(path: Path) -> None:
    room = room_of(path)
    targets = {name.split(".")[1] for name in imports(path) if name.startswith("src.")}
    upwards = {target for target in targets if room != "__init__" and FLOOR[target] < FLOOR[room]}
    assert not upwards, f"{room} imports upwards from {upwards}"


@pytest.mark.parametrize("path", modules("sandbox"), ids=lambda path: str(path.relative_to(ROOT)))
def test_sandbox_knows_nothing_of_src_or_models(path: Path) -> None:
    foreign = {name for name in imports(path) if name.split(".")[0] in {"src", "langgraph", "langchain_core"}}
    assert not foreign


@pytest.mark.parametrize("path", modules("src/gates"), ids=lambda path: path.name)
def test_a_gate_is_plain_python(path: Path) -> None:
    allowed = {"ast", "builtins", "collections", "copy", "dataclasses", "functools", "hashlib", "io", "itertools"}
    allowed |= {"math", "operator", "re", "sys", "textwrap", "tokenize", "typing", "warnings"}
    for name in imports(path):
        assert name.startswith(("src.gates.", "src.state", "sandbox.syntax")) or name.split(".")[0] in allowed, name


@pytest.mark.parametrize("path", modules("src/gates"), ids=lambda path: path.name)
def test_a_gate_asks_the_interpreter_only_what_the_standard_library_holds(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "sys":
            assert [alias.name for alias in node.names] == ["stdlib_module_names"]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            assert node.attr == "stdlib_module_names"


def test_only_config_reads_the_environment() -> None:
    readers = set()
    for path in [*modules("src"), *modules("sandbox"), *modules("examples")]:
        if "guest" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb", "expandvars"}:
                readers.add(path.relative_to(ROOT).as_posix())
    assert readers <= {"src/config.py"}


def test_only_the_terminal_room_draws() -> None:
    drawers = {
        path.relative_to(ROOT).as_posix()
        for path in modules("src")
        if any(name.split(".")[0] == "rich" for name in imports(path))
    }
    assert all(drawer.startswith("src/cli/") for drawer in drawers)
