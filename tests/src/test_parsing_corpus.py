"""Real and realistic replies, kept beside the repository: each has its right answer with it."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from src.parsing import FormatError, parse_architect, parse_debugger, parse_developer
from src.reply import Reply, finish_of, text_of

DATA = Path(__file__).parents[3] / "shared" / "data"


def rows(name):
    path = DATA / name
    if not path.exists():
        return [pytest.param(None, id="absent", marks=pytest.mark.skip(f"{name} does not lie beside the repository"))]
    return [pytest.param(row, id=row["id"]) for row in map(json.loads, path.read_text("utf-8").splitlines())]


def read(row):
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


def assert_holds(code, check, tmp_path):
    """Run the code and its check in a bare process: the corpus holds nothing that a container would be needed for."""
    (tmp_path / "solution.py").write_text(code, "utf-8")
    (tmp_path / "check.py").write_text(f"from solution import *\n{check}\n", "utf-8")
    command = [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import check"]
    subprocess.run(command, cwd=tmp_path, timeout=30, check=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("row", rows("replies.dev.jsonl"))
def test_awkward_replies_give_what_they_hold_or_a_reason(row, tmp_path):
    expected = row["expected"]
    if expected["status"] == "reject":
        with pytest.raises(FormatError) as caught:
            read(row)
        assert caught.value.reason
        return
    try:
        code, prose = read(row)
    except FormatError as error:
        assert expected["status"] == "either", error.reason
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
def test_real_replies_give_the_module_that_passes(row, named):
    reply, names = Reply(row["reply"]), row["entry_points"] if named else ()
    if row["expected"]["verdict"] == "pass":
        code = parse_developer(reply, names)
        assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(row["expected"]["code"]))
    elif row["expected"]["verdict"] == "reject":
        with pytest.raises(FormatError):
            parse_developer(reply, names)
    else:
        try:
            code = parse_developer(reply, names)
        except FormatError as error:
            assert error.reason
        else:
            compile(code, "solution.py", "exec")
