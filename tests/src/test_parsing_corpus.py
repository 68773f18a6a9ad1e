"""Real and realistic replies, kept beside the repository: each has its right answer with it."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from src.parsing import FormatError, parse_architect, parse_debugger, parse_developer
from src.reply import Reply, finish_of, text_of

DATA = Path(__file__).parents[3] / "shared" / "data"


def rows(name: str) -> list[Any]:
    path = DATA / name
    if not path.exists():
        return [pytest.param(None, id="absent", marks=pytest.mark.skip(f"{name} does not lie beside the repository"))]
    return [pytest.param(row, id=row["id"]) for row in map(json.loads, path.read_text("utf-8").splitlines())]


def read(row: dict[str, Any]) -> tuple[str, str]:
    """Code and prose of one reply, by the parser of its role."""
    reply = Reply(text_of(row["reply"]), finish_of(row.get("finish_reason")))
    names = row.get("entry_points") or ()
    if row["role"] == "architect":
        both = parse_architect(reply)
        return both.tests, both.specs
    if row["role"] == "debugger":
        patch = parse_debugger(reply, names, row.get("previous_code") or "")
        return patch.code, patch.diagnosis
    return parse_developer(reply, names), ""


def read_or_reason(row: dict[str, Any]) -> tuple[str, str, str]:
    """Code and prose, or else the reason why there are none."""
    try:
        return *read(row), ""
    except FormatError as error:
        return "", "", error.reason


def assert_holds(code: str, check: str, tmp_path: Path) -> None:
    """Run the code and its check in a bare process: the corpus holds nothing that a container would be needed for."""
    (tmp_path / "solution.py").write_text(code, "utf-8")
    (tmp_path / "check.py").write_text(f"from solution import *\n{check}\n", "utf-8")
    command = [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import check"]
    subprocess.run(command, cwd=tmp_path, timeout=30, check=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("row", rows("replies.dev.jsonl"))
def test_awkward_replies_give_what_they_hold_or_a_reason(row: dict[str, Any], tmp_path: Path) -> None:
    expected = row["expected"]
    if expected["status"] == "reject":
        with pytest.raises(FormatError) as caught:
            read(row)
        assert caught.value.reason
        return
    code, prose, reason = read_or_reason(row)
    if reason:
        assert expected["status"] == "either", reason
        return
    assert all(part in prose for part in expected.get("spec_contains", []))
    assert not any(part in code for part in expected.get("must_not_contain", []))
    wanted = expected.get("tests") or expected["code"]
    if expected.get("tests_must_contain"):
        assert all(part in code for part in expected["tests_must_contain"])
    elif code.strip() != wanted.strip():
        assert_holds(code, expected["check"], tmp_path)


@pytest.mark.parametrize("named", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize("row", rows("raw_llm_replies.jsonl"))
def test_real_replies_give_the_module_that_passes(row: dict[str, Any], named: bool) -> None:
    reply, names = Reply(row["reply"]), row["entry_points"] if named else ()
    if row["expected"]["verdict"] == "pass":
        code = parse_developer(reply, names)
        assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(row["expected"]["code"]))
    elif row["expected"]["verdict"] == "reject":
        with pytest.raises(FormatError):
            parse_developer(reply, names)
    else:
        code, _, reason = read_or_reason({**row, "entry_points": names})
        assert reason or ast.parse(code)
